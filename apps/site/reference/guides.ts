import type { Link } from './markdown.js';

/** A text of the repository that integrators read. */
export interface Guide {
  /** Path of its page. */
  readonly path: string;
  /** Path of its file. */
  readonly file: string;
  readonly title: string;
}

const guide = (path: string, file: string, title: string): Guide => ({ path, file, title });

/** The texts by group, in the order in which they are listed. `scripts/build.mjs` copies their files. */
export const guides = {
  guides: [
    guide('/docs/guides/first-steps', 'docs/guides/first-steps.md', 'First steps'),
    guide('/docs/guides/graphql', 'docs/guides/graphql.md', 'GraphQL by example'),
    guide('/docs/guides/receive-webhooks', 'docs/guides/webhooks.md', 'Receive webhooks'),
    guide('/docs/guides/assign-credits', 'docs/guides/assign-credits.md', 'Assign credits'),
    guide('/docs/guides/trade', 'docs/guides/trade.md', 'Trade'),
    guide('/docs/guides/agents', 'docs/guides/agents.md', 'AI agents'),
    guide('/docs/guides/typescript', 'clients/typescript/README.md', 'TypeScript client'),
    guide('/docs/guides/python', 'clients/python/README.md', 'Python client'),
    guide('/docs/guides/glossary', 'docs/glossary.md', 'Glossary'),
  ],
  contract: [
    guide('/docs/guides/common', 'docs/contract/common.md', 'Common rules'),
    guide('/docs/guides/accounts', 'docs/contract/accounts.md', 'Accounts and keys'),
    guide('/docs/guides/browser-sessions', 'docs/contract/browser-sessions.md', 'Browser sessions'),
    guide('/docs/guides/issuances', 'docs/contract/issuances.md', 'Issuances'),
    guide('/docs/guides/tokenization', 'docs/contract/tokenization.md', 'Tokenization'),
    guide('/docs/guides/webhooks', 'docs/contract/webhooks.md', 'Webhooks'),
    guide('/docs/guides/credit-assignment', 'docs/contract/credit-assignment.md', 'Credit assignment'),
    guide('/docs/guides/trading', 'docs/contract/trading.md', 'Trading'),
    guide('/docs/socket', 'gateway/live/socket/PROTOCOL.md', 'The socket'),
    guide('/docs/changelog', 'CHANGELOG.md', 'Changelog'),
  ],
} as const;

/** Every text that is a page. */
export const texts: readonly Guide[] = [...guides.guides, ...guides.contract];

/** Returns the page that a link of a text leads to; undefined for a file that is no page. */
export function guideLink(from: Guide, href: string): Link | undefined {
  if (href.startsWith('https://') || href.startsWith('#')) return { href };
  const [file = '', hash] = href.split('#', 2);
  const path = new URL(file, `file:///${from.file}`).pathname.slice(1);
  const found = texts.find((one) => one.file === path);
  if (found === undefined) return undefined;
  return { href: hash === undefined ? found.path : `${found.path}#${hash}`, title: found.title };
}
