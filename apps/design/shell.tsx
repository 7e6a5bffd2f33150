import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Brand, ThemeLinks, type LinkItem, type ThemeTexts } from './basics.js';

export interface PageFiles {
  readonly styles: readonly string[];
  readonly font: string;
  readonly icon: string;
}

export interface ShellProps {
  readonly lang: string;
  readonly title: string;
  readonly description: string;
  readonly siteName: string;
  readonly files: PageFiles;
  /** Absolute address of this page; none for a page that is not to be found. */
  readonly canonical?: string | undefined;
  /** The same page in each language, by absolute address. */
  readonly alternates?: readonly { readonly lang: string; readonly href: string }[];
  readonly feeds?: readonly { readonly href: string; readonly title: string }[];
  readonly image?: string | undefined;
  readonly script?: string | undefined;
  readonly data?: object | undefined;
  readonly skip: string;
  readonly home: string;
  readonly navLabel: string;
  readonly nav: readonly LinkItem[];
  /** Absent on pages that an operators' host serves too: their policy allows no form to another host. */
  readonly search?: { readonly action: string; readonly label: string } | undefined;
  readonly enter: LinkItem;
  readonly languages: { readonly label: string; readonly items: readonly (LinkItem & { readonly lang: string })[] };
  readonly themes: ThemeTexts;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

export function documentOf(props: ShellProps): string {
  return `<!doctype html>\n${renderToStaticMarkup(<Shell {...props} />)}\n`;
}

function Shell(props: ShellProps) {
  return (
    <html lang={props.lang}>
      <Head {...props} />
      <body>
        <a className="skip" href="#content">
          {props.skip}
        </a>
        <header className="top">
          <div className="wrap">
            <Brand href={props.home} name={props.siteName} mark={props.files.icon} />
            <nav aria-label={props.navLabel}>
              <ul className="nav">
                {props.nav.map(({ href, text, current }) => (
                  <li key={href}>
                    <a href={href} {...(current === true ? { 'aria-current': 'page' as const } : {})}>
                      {text}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            {props.search === undefined ? null : (
              <form className="find" role="search" action={props.search.action}>
                <input
                  type="search"
                  name="q"
                  maxLength={100}
                  aria-label={props.search.label}
                  placeholder={props.search.label}
                />
                <button className="icon" aria-label={props.search.label} />
              </form>
            )}
            <a className="enter button" href={props.enter.href}>
              {props.enter.text}
            </a>
            <nav className="nav" aria-label={props.languages.label}>
              {props.languages.items.map(({ href, text, current, lang }) => (
                <a
                  key={lang}
                  href={href}
                  lang={lang}
                  hrefLang={lang}
                  {...(current === true ? { 'aria-current': 'true' as const } : {})}
                >
                  {text}
                </a>
              ))}
            </nav>
          </div>
        </header>
        <main id="content" className="wrap" tabIndex={-1}>
          {props.children}
        </main>
        <footer className="foot">
          <div className="wrap">
            {props.foot}
            <ThemeLinks texts={props.themes} />
          </div>
        </footer>
      </body>
    </html>
  );
}

function Head(props: ShellProps) {
  const { title, description, siteName, canonical, alternates = [], feeds = [], image, data } = props;
  const whole = title === siteName ? title : `${title} · ${siteName}`;
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{whole}</title>
      <meta name="description" content={description} />
      <FileLinks {...props.files} />
      {canonical === undefined ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={canonical} />}
      {alternates.map(({ lang, href }) => (
        <link key={lang} rel="alternate" hrefLang={lang} href={href} />
      ))}
      {feeds.map((feed) => (
        <link key={feed.href} rel="alternate" type="application/atom+xml" title={feed.title} href={feed.href} />
      ))}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:type" content="website" />
      {canonical === undefined ? null : <meta property="og:url" content={canonical} />}
      {image === undefined ? null : <meta property="og:image" content={image} />}
      {props.script === undefined ? null : <script type="module" src={props.script} />}
      {data === undefined ? null : (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonInHtml(data) }} />
      )}
    </head>
  );
}

export function FileLinks({ styles, font, icon }: PageFiles) {
  return (
    <>
      <link rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" />
      {styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      <link rel="icon" type="image/svg+xml" href={icon} />
    </>
  );
}

/** Returns JSON that no text can end the element with. */
function jsonInHtml(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** A page without navigation, for other sites to frame. */
export function frameOf(props: Pick<ShellProps, 'lang' | 'title' | 'files' | 'script' | 'children'>): string {
  return `<!doctype html>\n${renderToStaticMarkup(
    <html lang={props.lang}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{props.title}</title>
        <meta name="robots" content="noindex" />
        <FileLinks {...props.files} />
        {props.script === undefined ? null : <script type="module" src={props.script} />}
      </head>
      <body>
        <main className="embed">{props.children}</main>
      </body>
    </html>,
  )}\n`;
}
