// Sends the token from the page's address, with the form's fields, to the REST path that the form names. Its texts are in the form.
const form = document.querySelector('main form');
const status = document.querySelector('[role=status]');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const said = await send({ token, ...fieldsOf(form) });
  status.textContent = form.dataset[said];
  button.disabled = said === 'done';
});

/** Sends the values, and returns the name of the text that says what became of them. */
async function send(values) {
  try {
    const response = await fetch(form.dataset.action, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
    });
    const { accessToken, details = [] } = response.status === 204 ? {} : await response.json();
    // A confirmation opens a session, which this page does not keep.
    if (accessToken !== undefined)
      void fetch('/v1/emissoes/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${accessToken}` } });
    if (response.ok) return 'done';
    if (details.some(({ path }) => path === 'password')) return 'password';
    if (details.some(({ path }) => path === 'token')) return 'invalid';
    return response.status === 429 ? 'busy' : 'failed';
  } catch {
    return 'failed';
  }
}

/** Returns the values of a form's fields by name; a check box is true or false. */
function fieldsOf({ elements }) {
  const named = Array.from(elements).filter(({ name }) => name);
  return Object.fromEntries(
    named.map(({ name, type, checked, value }) => [name, type === 'checkbox' ? checked : value]),
  );
}
