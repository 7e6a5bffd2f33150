// Sends the token from the page's address, with the form's fields, to the REST path that the form names.
const form = document.querySelector('form');
const status = document.querySelector('[role=status]');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  const token = new URLSearchParams(location.search).get('token') ?? '';
  try {
    const response = await fetch(form.dataset.action, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...fieldsOf(form) }),
    });
    const body = await response.json();
    const faults = (body.details ?? []).map((detail) => detail.message).join(' ');
    status.textContent = response.ok ? form.dataset.done : `${body.message} ${faults}`;
    button.disabled = response.ok;
  } catch {
    status.textContent = 'Sem resposta do servidor. Tente de novo.';
    button.disabled = false;
  }
});

/** Returns the values of a form's fields by name; a check box is true or false. */
function fieldsOf({ elements }) {
  const named = Array.from(elements).filter(({ name }) => name);
  return Object.fromEntries(
    named.map(({ name, type, checked, value }) => [name, type === 'checkbox' ? checked : value]),
  );
}
