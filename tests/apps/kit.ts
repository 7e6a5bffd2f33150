import { openTestPlatform, type TestPlatform } from '../kit/platform.js';

/** A platform with the demo and no limit that a test could meet, and a reader of its pages. */
export async function openSite(environment: Readonly<Record<string, string>> = {}) {
  const platform: TestPlatform = await openTestPlatform({
    DEMO: 'true',
    RATE_LIMIT_PUBLIC: '1000000',
    RATE_LIMIT_PAGES: '1000000',
    RATE_LIMIT_API_KEY: '1000000',
    ...environment,
  });
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${platform.url}${path}`, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });
  return { platform, url: platform.url, get, html: async (path: string) => (await get(path)).text() };
}

/** Returns the text of HTML as a reader sees it, with single spaces. */
export function readable(html: string): string {
  return html
    .replace(/^[\s\S]*<main/, '<main')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ');
}
