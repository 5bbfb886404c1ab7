// @ts-check
// The element's own style. Colours are custom properties a page may set; see tokens.css.

export const sheet = new CSSStyleSheet();

sheet.replaceSync(`
  :host {
    display: block;
    position: relative;
    min-inline-size: 0;
    min-block-size: 0;
    block-size: 320px;
    overflow: clip;
    background: var(--ck-ground, #0b0c0d);
    contain: layout style;
    -webkit-user-select: none;
    user-select: none;
    -webkit-touch-callout: none;
    -webkit-tap-highlight-color: transparent;
  }
  :host([hidden]) { display: none; }
  .surface, canvas, .keyboard { position: absolute; inset: 0; }
  .surface.touch { touch-action: none; }
  canvas { inline-size: 100%; block-size: 100%; pointer-events: none; }
  .surface { overflow: clip; }
  .photo {
    inset: 0 auto auto 0;
    left: 0;
    inline-size: auto;
    block-size: auto;
    transform-origin: 0 0;
    will-change: transform;
  }
  .photo[hidden] { display: none; }
  .keyboard { direction: ltr; pointer-events: none; overflow: clip; overflow-clip-margin: 4px; }
  .keyboard > * {
    position: absolute;
    box-sizing: border-box;
    margin: 0;
    padding: 0;
    border: 0;
    background: none;
    appearance: none;
    outline: none;
    border-radius: 4px;
  }
  .keyboard > input::-webkit-slider-thumb { appearance: none; inline-size: 0; }
  .keyboard > input::-moz-range-thumb { inline-size: 0; border: 0; }
  .keyboard > input { opacity: 0; }
  .keyboard > input:focus-visible { opacity: 1; }
  .keyboard > :focus-visible {
    outline: 2px solid var(--ck-frame-accent, #ffb83d);
    outline-offset: 2px;
    box-shadow: 0 0 0 2px rgb(0 0 0 / 0.6), 0 0 0 6px rgb(0 0 0 / 0.35);
  }
  .keyboard > .picture:focus-visible { outline-offset: -3px; box-shadow: none; }
  .busy > :focus-visible { outline: none; box-shadow: none; }
  .live {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (forced-colors: active) {
    .keyboard > :focus-visible { outline-color: Highlight; }
  }
`);
