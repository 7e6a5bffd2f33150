/** Input to the log-in form of the page (`apps/site/panel-pages.tsx`) before the panel's script was loaded. */
export interface EarlyLogIn {
  readonly values: FormData;
  readonly focused?: string;
  readonly sent?: 'form' | 'passkey';
}

/** How long the browser does nothing else after the form is painted. Nobody has filled it in before the panel is there. */
const quietMs = 400;
/** The panel does not wait longer than this for a browser that is busy. */
const idleMs = 200;

let sent: EarlyLogIn['sent'];
let taken: EarlyLogIn | undefined;

const form = document.querySelector<HTMLFormElement>('form#early-log-in');
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  sent = event.submitter?.getAttribute('name') === 'how' ? 'passkey' : 'form';
  for (const button of form.querySelectorAll('button')) button.classList.add('busy');
});

// The page names the scripts of the panel, those first that others import.
const scripts = form?.dataset['scripts']?.split(' ') ?? [];
if (scripts.length > 0) requestAnimationFrame(() => void startPanel());

/** Starts the panel once the form is painted; its scripts run whenever the browser is idle, so that typing is not held up. */
async function startPanel(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  for (const href of scripts)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  for (const script of scripts) {
    await idle();
    await import(script);
  }
}

/** Resolves when the browser has nothing else to do, and after a time in any case. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Safari has no such callback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: idleMs });
    else setTimeout(resolve, 0);
  });
}

export function isEarly(): boolean {
  return form?.isConnected === true;
}

export function takeEarlyLogIn(): void {
  if (form === null) return;
  const focused = form.contains(document.activeElement) ? document.activeElement?.getAttribute('name') : undefined;
  taken = {
    values: new FormData(form),
    ...(focused == null ? {} : { focused }),
    ...(sent === undefined ? {} : { sent }),
  };
}

/** Returns the early input once, and forgets it: a password must not be kept longer. */
export function earlyLogIn(): EarlyLogIn | undefined {
  const early = taken;
  taken = undefined;
  return early;
}
