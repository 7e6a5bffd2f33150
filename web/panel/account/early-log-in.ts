/** What somebody did in the log-in that the page came with (`web/early-log-in.tsx`), before the panel's script was there. */
export interface EarlyLogIn {
  /** The values of its fields, by name. */
  readonly values: FormData;
  /** The field that had the focus. */
  readonly focused?: string;
  /** How it was sent. */
  readonly sent?: 'form' | 'passkey';
}

let sent: EarlyLogIn['sent'];
let taken: EarlyLogIn | undefined;

const form = document.querySelector<HTMLFormElement>('form#early-log-in');
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  sent = event.submitter?.getAttribute('name') === 'how' ? 'passkey' : 'form';
  for (const button of form.querySelectorAll('button')) button.classList.add('busy');
});

/** Whether the page still shows the log-in that it came with. */
export function isEarly(): boolean {
  return form?.isConnected === true;
}

/** Reads what was done, right before the panel takes the place of the form. */
export function takeEarlyLogIn(): void {
  if (form === null) return;
  const focused = form.contains(document.activeElement) ? document.activeElement?.getAttribute('name') : undefined;
  taken = {
    values: new FormData(form),
    ...(focused == null ? {} : { focused }),
    ...(sent === undefined ? {} : { sent }),
  };
}

/** Returns what was done, once: nothing keeps a password for longer. */
export function earlyLogIn(): EarlyLogIn | undefined {
  const early = taken;
  taken = undefined;
  return early;
}
