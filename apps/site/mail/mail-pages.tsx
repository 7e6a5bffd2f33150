import type { FastifyInstance } from 'fastify';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { readAsset, serveAssets } from '../../design/assets.js';
import { unlistedHtmlOf } from '../layout.js';
import { addressOf, type Site, locales, type Locale } from '../page.js';
import { pagePolicy } from '../policy.js';
import type { HostGuard } from '../../../gateway/http/host-guard.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { StoredMail } from '../../../shared/work/mail/mail.js';

/** The one script of these pages: it posts the token, which stays out of caches and referrers. */
const script = readAsset(new URL('./mail-form.js', import.meta.url), 'mail-form.js', 'text/javascript; charset=utf-8');

const token = z.object({ token: z.string().max(200) });

interface MailPage {
  readonly path: string;
  readonly title: (locale: Locale) => string;
  readonly body: (locale: Locale) => ReactNode;
}

const pages: readonly MailPage[] = [
  {
    path: '/verificar-email',
    title: ({ text }) => text.mailPages.verify.title,
    body: (locale) => <Verify locale={locale} />,
  },
  {
    path: '/redefinir-senha',
    title: ({ text }) => text.mailPages.reset.title,
    body: (locale) => <Reset locale={locale} />,
  },
];

/** Serves the pages of links in mails, in every language. A link is used only by its button, since mail scanners open links. */
export function mailPages(app: FastifyInstance, site: Site): void {
  serveAssets(app, [script]);
  for (const { path, title, body } of pages) {
    for (const locale of locales) {
      const edge = { credential: 'none', bucket: 'public' } as const;
      app.get(`${locale.prefix}${path}`, { config: { edge } }, (request, reply) => {
        // The page in the other language must keep the token.
        const here = addressOf(path, token.safeParse(request.query).data);
        return reply
          .header('content-security-policy', pagePolicy)
          .header('cache-control', 'no-store')
          .header('referrer-policy', 'no-referrer')
          .type('text/html; charset=utf-8')
          .send(unlistedHtmlOf(title(locale), body(locale), locale, site, { path: here, script: script.path }));
      });
    }
  }
}

function Frame(props: { readonly title: string; readonly locale: Locale; readonly children: ReactNode }) {
  const { mailPages: text, enter } = props.locale.text;
  return (
    <div className="narrow">
      <h1>{props.title}</h1>
      {props.children}
      <p role="status" />
      <noscript>
        <p className="notice">{text.needsScript}</p>
      </noscript>
      <p>
        <a href={`${props.locale.prefix}/painel`}>{enter}</a>
      </p>
    </div>
  );
}

const outcomes = ({ text: { mailPages } }: Locale, done: string) => ({
  'data-done': done,
  'data-invalid': mailPages.invalid,
  'data-busy': mailPages.busy,
  'data-failed': mailPages.failed,
});

function Verify({ locale }: { readonly locale: Locale }) {
  const { verify } = locale.text.mailPages;
  return (
    <Frame title={verify.title} locale={locale}>
      <p>{verify.ask}</p>
      <form data-action="/v1/emissoes/auth/verify-email" {...outcomes(locale, verify.done)}>
        <button type="submit">{verify.act}</button>
      </form>
    </Frame>
  );
}

function Reset({ locale }: { readonly locale: Locale }) {
  const { reset } = locale.text.mailPages;
  return (
    <Frame title={reset.title} locale={locale}>
      <form
        data-action="/v1/emissoes/auth/reset-password"
        data-password={reset.refused}
        {...outcomes(locale, reset.done)}
      >
        <label>
          {reset.password}
          <input name="password" type="password" autoComplete="new-password" minLength={8} maxLength={128} required />
        </label>
        <label>
          <input name="revokeKeys" type="checkbox" />
          {reset.revokeKeys}
        </label>
        <button type="submit">{reset.act}</button>
      </form>
    </Frame>
  );
}

interface MailboxOptions {
  /** Refuses pages of other sites whose name was made to resolve to this machine (DNS rebinding): the mails hold tokens that open accounts. */
  readonly guardHost: HostGuard;
  readonly readMailbox: (to: string) => Promise<StoredMail[]>;
}

/** Serves the development mailbox: mails that would have been sent. Register it only where it cannot hold mail of real people. */
export function mailboxPlugin(app: FastifyInstance, { guardHost, readMailbox }: MailboxOptions): void {
  app.get('/dev/mailbox', async (request) => {
    guardHost(request.headers);
    const to =
      typeof request.query === 'object' && request.query !== null && 'to' in request.query
        ? request.query.to
        : undefined;
    if (typeof to !== 'string' || to === '') {
      throw new ApiError('BAD_REQUEST', {
        details: [{ path: 'to', message: 'Give the address whose mail you want: /dev/mailbox?to=ana@example.com' }],
      });
    }
    return readMailbox(to);
  });
}
