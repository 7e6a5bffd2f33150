import type { ReactNode } from 'react';
import type { Asset } from './assets.js';
import { Brand } from './basics.js';
import { english } from './messages/log-in.en.js';
import { portuguese, type LogInTexts } from './messages/log-in.pt-BR.js';
import type { LanguageCode } from './formats.js';
import { locales, type Locale } from '../site/page.js';

/** Whose log-ins a page offers, where operators have a site of their own. */
export type Entry = 'public' | 'operators';

const textsOf: Readonly<Record<LanguageCode, LogInTexts>> = { 'pt-BR': portuguese, en: english };

/** The log-in before the panel's script has come, in its markup; `early-log-in.ts` takes over what was typed. `dialog` keeps it from being sent. */
export function EarlyLogIn(props: {
  readonly locale: Locale;
  readonly path: string;
  readonly logIn: Entry | undefined;
  readonly name: string;
  readonly mark: Asset;
  /** The addresses of the panel's scripts, those first that others import: they are started from here, once the form is painted. */
  readonly scripts: readonly string[];
}) {
  const { locale, path, logIn, scripts } = props;
  const text = textsOf[locale.code];
  const isForOperators = logIn === 'operators';
  const other = locales.find(({ code }) => code !== locale.code) ?? locale;
  const base = `${locale.prefix}${path}`;
  return (
    <>
      <header className="top">
        <div className="wrap">
          <Brand href={locale.prefix === '' ? '/' : locale.prefix} name={props.name} mark={props.mark.path} />
          <a className="end" href={`${other.prefix}${path}/entrar`} lang={other.code}>
            {other.name}
          </a>
        </div>
      </header>
      <main id="content" className="narrow card">
        <div className="head">
          <div className="row spread">
            <h1>{text.title}</h1>
          </div>
        </div>
        <form id="early-log-in" method="dialog" data-scripts={scripts.join(' ')}>
          <div className="form">
            <Field name="email" label={isForOperators ? text.operatorKey : text.emailOrKey}>
              <input
                id="early-email"
                name="email"
                type={isForOperators ? 'password' : 'text'}
                inputMode="email"
                autoComplete={isForOperators ? 'off' : 'username webauthn'}
                required
              />
            </Field>
            {isForOperators ? null : (
              <Field name="password" label={text.password}>
                <input id="early-password" name="password" type="password" autoComplete="current-password" required />
              </Field>
            )}
            <button type="submit" className="button main">
              {text.submit}
            </button>
            {isForOperators ? null : (
              <button type="submit" className="button plain" name="how" value="passkey" formNoValidate>
                {text.passkey}
              </button>
            )}
          </div>
        </form>
        {isForOperators ? null : (
          <p className="row spread">
            <a href={`${base}/cadastro`}>{text.register}</a>
            <a href={`${base}/esqueci-a-senha`}>{text.forgotten}</a>
          </p>
        )}
      </main>
    </>
  );
}

function Field({
  name,
  label,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="field">
      <label htmlFor={`early-${name}`}>{label}</label>
      {children}
    </div>
  );
}
