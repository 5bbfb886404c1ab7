// @ts-check
// The element's style. Colors are custom properties that a page may set; their defaults follow the page's
// color-scheme, if the browser supports that.

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** The style sheet that all elements share. */
export function sharedSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(RULES);
  }
  return sheet;
}

const RULES = `
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
  .status {
    position: absolute;
    inset: 0;
    display: grid;
    place-items: center;
    padding: 16px;
    box-sizing: border-box;
    color: var(--ck-muted, #9aa0a8);
    font: 14px / 20px var(--ck-font, system-ui, sans-serif);
    text-align: center;
    pointer-events: none;
  }
  .status:focus { outline: none; }
  .status:focus-visible { outline: 2px solid var(--ck-frame-accent, #ffb83d); outline-offset: -3px; }
  .status[hidden], .status > [hidden] { display: none; }
  .status ::slotted(*) { pointer-events: auto; }
  .disabled { opacity: 0.5; pointer-events: none; }
  /* Invisible samples of what is drawn. The end of a transition reports that one has changed. */
  .tokens, .tokens > i {
    position: absolute;
    inline-size: 0;
    block-size: 0;
    visibility: hidden;
    pointer-events: none;
    transition: 1ms step-start;
    transition-property: color, background-color, border-color, border-radius, opacity, inline-size, font;
  }
  .tokens {
    color: var(--ck-frame-accent, #ffb83d);
    background-color: var(--ck-raised, #24272b);
    border-top-color: var(--ck-check, #c9c9c9);
    border-bottom-color: var(--ck-check-alternate, #ffffff);
  }
  .tokens > i { forced-color-adjust: none; }
  .tokens > .frame {
    color: var(--ck-frame, #ffffff);
    background-color: var(--ck-frame-edge, #000000);
    inline-size: var(--ck-frame-width, 1px);
  }
  .tokens > .handle {
    color: var(--ck-handle, var(--ck-frame, #ffffff));
    border-top-left-radius: var(--ck-handle-radius, 0px);
  }
  .tokens > .grid { color: var(--ck-grid, rgb(255 255 255 / 0.6)); }
  .tokens > .guide { color: var(--ck-guide, #ffb83d); }
  .tokens > .shade { color: var(--ck-shade-color, #000000); opacity: var(--ck-shade, 1); }
  .tokens > .label {
    color: var(--ck-label, #ffffff);
    background-color: var(--ck-label-background, rgb(0 0 0 / 0.78));
    font: var(--ck-label-font, 500 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
  }
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
  img.photo { position: absolute; max-inline-size: none; pointer-events: none; dynamic-range-limit: no-limit; }
  .mark { position: absolute; inline-size: 0; block-size: 0; visibility: hidden; pointer-events: none; }
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
  /* The image may be larger than the view, which would cut off an outline around it. */
  @supports selector(:has(a)) {
    .keyboard > .picture:focus-visible { outline: none; }
    .keyboard:not(.busy):has(> .picture:focus-visible)::after {
      content: "";
      position: absolute;
      inset: 2px;
      outline: 2px solid var(--ck-frame-accent, #ffb83d);
      box-shadow: 0 0 0 2px rgb(0 0 0 / 0.6), inset 0 0 0 1px rgb(0 0 0 / 0.35);
      border-radius: 4px;
    }
  }
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
    .keyboard > :focus-visible, .keyboard::after { outline-color: Highlight; }
  }
  @supports (color: light-dark(red, red)) {
    :host { background: var(--ck-ground, light-dark(#dcdbd7, #0b0c0d)); }
    .status { color: var(--ck-muted, light-dark(#5f6367, #9aa0a8)); }
    .tokens {
      background-color: var(--ck-raised, light-dark(#ecebe8, #24272b));
      border-bottom-color: var(--ck-check-alternate, light-dark(#e3e2df, #3a3e43));
      border-top-color: var(--ck-check, light-dark(#ffffff, #2b2e32));
    }
  }
`;
