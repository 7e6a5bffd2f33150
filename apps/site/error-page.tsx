import type { Config } from '../../shared/kernel/config.js';
import type { MakeErrorPage } from '../../gateway/http/options.js';
import type { Envelope } from '../../gateway/http/reply/envelope.js';
import { readMark } from '../design/assets.js';
import { pathIn, unlistedHtmlOf } from './layout.js';
import { type Site, localeOf, type Locale } from './page.js';
import { pagePolicy } from './policy.js';

/** Paths of programs: their errors are the envelope, whatever the caller accepts. */
const programs =
  /^\/(v1|web|public|developer|tidc|graphql|ws|assets|healthz|readyz|metrics|openapi\.json|schema\.graphql|internal|dev)(\/|$|\?)/;

export function siteOf({ publicUrl, house }: SiteConfig): Site {
  return {
    url: publicUrl,
    house: { name: house.name, taxId: house.taxId, mark: readMark(house.logoFile) },
  };
}

type SiteConfig = Pick<Config, 'publicUrl' | 'house'>;

export function createErrorPage(config: SiteConfig): MakeErrorPage {
  const site = siteOf(config);
  return (request, error) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || programs.test(request.url) || !/\btext\/html\b/.test(request.headers.accept ?? '')) return undefined;
    const locale = localeOf(request.url);
    const title = titleOf(error, locale);
    const html = unlistedHtmlOf(title, <ErrorText error={error} title={title} locale={locale} />, locale, site);
    return { html, headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy } };
  };
}

function titleOf({ statusCode }: Envelope, { text: { errors } }: Locale): string {
  if (statusCode === 404) return errors.notFound;
  if (statusCode === 429) return errors.busy;
  return statusCode < 500 ? errors.invalid : errors.failed;
}

function ErrorText({
  error,
  title,
  locale,
}: {
  readonly error: Envelope;
  readonly title: string;
  readonly locale: Locale;
}) {
  const { errors } = locale.text;
  const { statusCode, details = [], requestId } = error;
  return (
    <div className="section">
      <h1>{title}</h1>
      {statusCode === 404 ? <p>{errors.notFoundText}</p> : null}
      {statusCode === 429 ? <p>{errors.busyText}</p> : null}
      {details.length === 0 ? null : (
        <ul className="notice bad">
          {details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {statusCode >= 500 ? (
        <p>
          {errors.failedText} <code>{requestId}</code>
        </p>
      ) : null}
      <p>
        <a href={pathIn(locale, '/')}>{errors.home}</a>
      </p>
    </div>
  );
}
