import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { renderToStaticMarkup } from 'react-dom/server';
import { z } from 'zod';
import { hasTag, tagOf } from '../../gateway/http/reply/public-response.js';
import { panelStyles, readBuilt, serveAssets, type Asset } from '../design/assets.js';
import { FileLinks } from '../design/shell.js';
import { filesOf } from './layout.js';
import { type Site, locales, type Locale } from './page.js';
import { pagePolicy } from './policy.js';
import type { ReactNode } from 'react';
import { Brand } from '../design/basics.js';
import { logIn as logInTexts } from '../design/messages/log-in.js';
import { inLanguage } from '../design/texts.js';

const path = '/painel';

const manifestForm = z.object({
  entry: z.string(),
  imports: z.array(z.string()),
  early: z.string(),
  texts: z.string(),
  logIn: z.array(z.string()),
  home: z.array(z.string()),
  files: z.array(z.string()),
});

interface Bundle {
  readonly assets: readonly Asset[];
  readonly entry: string;
  readonly imports: readonly string[];
  readonly early: string;
  readonly texts: string;
  /** Scripts to preload: for the log-in, and for the navigation of every other page. */
  readonly logIn: readonly string[];
  readonly home: readonly string[];
}

/** Serves the panel: one page for all its addresses, and its scripts as `npm run build` has written them last; nothing where nothing was built. */
export function panelPages(app: FastifyInstance, site: Site): void {
  const bundle = readBundle();
  if (bundle === undefined) return;
  serveAssets(app, [panelStyles, ...bundle.assets]);
  for (const locale of locales) {
    const own = `${locale.prefix}${path}`;
    const pages = pagesOf({ locale, bundle, site, isLogIn: false });
    const logIns = pagesOf({ locale, bundle, site, isLogIn: true });
    for (const one of [own, `${own}/*`, `${own}/entrar`]) {
      const served = one.endsWith('/entrar') ? logIns : pages;
      app.get(one, { config: { edge: { credential: 'none', bucket: 'public' } } }, (request, reply) => {
        const ofOperators = app.edgeMaker.sites.isOperators(request.hostname);
        const { html, tag } = ofOperators === undefined ? served.all : ofOperators ? served.operators : served.public;
        reply
          .header('etag', `"${tag}"`)
          .header('cache-control', 'no-cache')
          .header('content-security-policy', pagePolicy)
          .header('referrer-policy', 'same-origin')
          .type('text/html; charset=utf-8');
        return hasTag(request, tag) ? reply.code(304).send() : reply.send(html);
      });
    }
  }
}

function readBundle(): Bundle | undefined {
  const folder = [
    new URL('../panel/assets/', import.meta.url),
    new URL('../../dist/apps/panel/assets/', import.meta.url),
  ].find((one) => existsSync(new URL('manifest.json', one)));
  if (folder === undefined) return undefined;
  const { entry, imports, early, texts, logIn, home, files } = manifestForm.parse(
    JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')),
  );
  const assets = files.map((name) =>
    readBuilt(new URL(name, folder), addressOf(name), 'text/javascript; charset=utf-8'),
  );
  return {
    assets,
    entry: addressOf(entry),
    imports: imports.map(addressOf),
    early: addressOf(early),
    texts: addressOf(texts),
    logIn: logIn.map(addressOf),
    home: home.map(addressOf),
  };
}

/** Returns the address of a script, whose name has a hash already. Scripts name each other relative to their own address. */
const addressOf = (name: string) => `/assets/panel/${name}`;

function pagesOf(parts: PanelPage) {
  return {
    all: pageOf(htmlOf(parts)),
    public: pageOf(htmlOf(parts, 'public')),
    operators: pageOf(htmlOf(parts, 'operators')),
  };
}

interface PanelPage {
  readonly locale: Locale;
  readonly bundle: Bundle;
  readonly site: Site;
  readonly isLogIn: boolean;
}

function pageOf(text: string): { readonly html: Buffer; readonly tag: string } {
  const html = Buffer.from(text);
  return { html, tag: tagOf(html) };
}

function htmlOf({ locale, bundle, site, isLogIn }: PanelPage, logIn?: Entry): string {
  const { text, code } = locale;
  const { name, taxId, mark } = site.house;
  const next = [bundle.imports, bundle.texts, isLogIn ? bundle.logIn : bundle.home].flat();
  return `<!doctype html>\n${renderToStaticMarkup(
    <html lang={code}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{name}</title>
        <meta name="application-name" content={name} />
        <meta name="robots" content="noindex" />
        {taxId === undefined ? null : <meta name="lastro-tax-id" content={taxId} />}
        {logIn === undefined ? null : <meta name="lastro-log-in" content={logIn} />}
        <FileLinks {...filesOf(site)} />
        {/* React Aria would add an element of this id with a style of its own, which the Content-Security-Policy refuses; panel.css has that style. */}
        <link rel="stylesheet" id="react-aria-pressable-style" href={panelStyles.path} />
        {isLogIn ? (
          <script type="module" src={bundle.early} />
        ) : (
          <>
            <link rel="preload" as="fetch" crossOrigin="anonymous" href="/web/session" />
            {next.map((href) => (
              <link key={href} rel="modulepreload" href={href} />
            ))}
            <script type="module" src={bundle.entry} />
          </>
        )}
      </head>
      <body>
        <div id="panel">
          <noscript>
            <p className="narrow">{text.panel.needsScript}</p>
          </noscript>
          {isLogIn ? <EarlyLogIn {...{ locale, path, logIn, name, mark }} scripts={[...next, bundle.entry]} /> : null}
        </div>
      </body>
    </html>,
  )}\n`;
}

/** Whose log-ins a page offers, where operators have a site of their own. */
type Entry = 'public' | 'operators';

/** The log-in before the panel's script has come, in its markup; `early-log-in.ts` takes over what was typed. `dialog` keeps it from being sent. */
function EarlyLogIn(props: {
  readonly locale: Locale;
  readonly path: string;
  readonly logIn: Entry | undefined;
  readonly name: string;
  readonly mark: Asset;
  /** The addresses of the panel's scripts, those first that others import: they are started from here, once the form is painted. */
  readonly scripts: readonly string[];
}) {
  const { locale, path, logIn, scripts } = props;
  const text = inLanguage(locale.code, logInTexts);
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
