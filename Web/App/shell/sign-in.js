// @ts-check
// The sign-in page's script: it sends the form without leaving the page, so that a token with a mistake can be
// corrected, and shows the token on request. Without it, the form works as usual.

const form = /** @type {HTMLFormElement} */ (document.querySelector('form'));
const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
const token = /** @type {HTMLInputElement} */ (document.querySelector('#token'));
const reveal = /** @type {HTMLInputElement} */ (document.querySelector('#reveal'));

/** @type {HTMLElement} */ (reveal.parentElement).hidden = false;
reveal.addEventListener('change', () => {
  token.type = reveal.checked ? 'text' : 'password';
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  try {
    const body = new URLSearchParams({ token: token.value });
    const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } });
    if (answer.ok) {
      // The cookie is set; a link to a photo or an album is followed now, a link with a token is not used again.
      const { hash, pathname, search } = location;
      const isUsed = pathname === '/sign-in' || /[?&](token|code)=/.test(search);
      history.replaceState(null, '', isUsed ? `/${hash}` : pathname + search + hash);
      location.reload();
      return;
    }
    // The same page, with the reason why the token is refused.
    const state = /data-state="(\w+)"/.exec(await answer.text())?.[1] ?? 'wrong';
    document.body.dataset.state = '';
    // Screen readers only announce changes.
    requestAnimationFrame(() => { document.body.dataset.state = state; });
    button.disabled = false;
    token.focus();
  } catch {
    // The browser reports that the server can't be reached.
    form.submit();
  }
});
