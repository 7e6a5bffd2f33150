import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformOptions } from '../../bootstrap/platform.js';
import { importFiles } from '../../shared/import/import.js';
import { issuancesImport } from '../../subgraphs/issuances/import/domain.js';
import { freePort } from '../kit/free-port.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { until } from '../kit/until.js';

export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/** Builds the panel, and opens a platform at an address where browsers accept its cookie. */
export async function openPanelSite(
  environment: Readonly<Record<string, string>> = {},
  options: PlatformOptions = {},
): Promise<{ readonly platform: TestPlatform; readonly url: string }> {
  execFileSync(process.execPath, ['scripts/build.mjs', '--quiet']);
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const limits = rateLimitVariables(1_000_000);
  const platform = await openTestPlatform(
    { PORT: port, PUBLIC_URL: url, DEMO: 'true', ...limits, ...environment },
    options,
  );
  return { platform, url };
}

/** Everything that the browser complains about from now on, and every request to another origin. */
export function complaintsOf(page: Page, url: string): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(url) && !/^(data|blob):/.test(to)) complaints.push(`elsewhere: ${to}`);
  });
  return complaints;
}

/** Expects that nothing is wider than the window. */
export async function expectToFit(page: Page): Promise<void> {
  const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate<number>(beyond)).toBeLessThanOrEqual(0);
}

/** A page that notes every complaint of the browser. */
export type Watched = Awaited<ReturnType<typeof watch>>;

export async function watch(browser: Browser, url: string, options: BrowserContextOptions) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const all = complaintsOf(page, url);
  const check = async () => {
    await page.evaluate(axe);
    const found = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)');
    expect(found.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ target }) => target.join(' '))])).toEqual([]);
    await expectToFit(page);
    // The browser reports the status of requests that are refused, which is meant where it happens here.
    expect(all.filter((one) => !one.startsWith('Failed to load resource'))).toEqual([]);
  };
  return {
    context,
    page /** Fails where a rule of accessibility is broken, something is wider than the window, or the browser has complained. */,
    check,
  };
}

/** Code for a page: writes text as HTML, which Trusted Types refuse. It returns the name of the error. */
export const writeHtml = `(() => {
  try {
    document.createElement('p').innerHTML = '<b>';
    return undefined;
  } catch (error) {
    return error.name;
  }
})()`;

export const mailedLink = (url: string, email: string): Promise<string> =>
  until(`the mail with a link to ${email}`, async () => {
    const text = await (await fetch(`${url}/dev/mailbox?to=${encodeURIComponent(email)}`)).text();
    return /https?:\/\/[^\s"\\]+token=[^\s"\\]+/.exec(text)?.[0];
  });

/** Returns the series and the day of the newest unit price of the operation of the demo that a search for `shopping` finds. */
export async function newestPrice({ infrastructure }: TestPlatform): Promise<{ series: string; day: string }> {
  const [found] = await infrastructure.context.manager.rows<{ series: string; day: string }>(
    `SELECT series.ticker AS series, max(date)::text AS day FROM issuances.operations
     JOIN issuances.series ON operation_id = operations.id JOIN issuances.unit_prices ON series_id = series.id
     WHERE slug = 'cri-shopping-serra-azul' GROUP BY 1 ORDER BY 1 LIMIT 1`,
  );
  if (found === undefined) throw new Error('The demo has no such price');
  return found;
}

/** Imports another value of that price. */
export async function publishPrice(platform: TestPlatform, value: string): Promise<void> {
  const file = join(platform.dataDir, 'price.csv');
  const { series, day } = await newestPrice(platform);
  await writeFile(file, `trancheTicker;date;value\n${series};${day};${value}\n`);
  expect(
    (await importFiles(platform.infrastructure.context, [issuancesImport], [file], { correct: 'a test' })).errors,
  ).toEqual([]);
}
