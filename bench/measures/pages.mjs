import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { interleave } from '../kit/load.mjs';
import { median } from '../kit/statistics.mjs';
import { compare } from './compare.mjs';
import { importOperations } from './data.mjs';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const operation = 'cri-shopping-serra-azul';
/** Operations that are read one after the other: more than the caches of results and of pages hold, so that none of them is kept. */
const operations = 2_000;
/** Openings of the panel; the median counts. */
const openings = 7;

/**
 * (q) Compares pages of operations with the REST responses of the same operations, of which neither is kept, and measures a page that is, and the panel in
 * a slow browser.
 */
export async function measurePages({ platform, entry, folder, timing }) {
  const slugs = await importOperations({ platform, folder }, operations);
  const get = (path, headers = {}) => ({ url: `${platform.url}${path}`, method: 'GET', headers, compared: false });
  const key = { 'x-api-key': entry.apiKey };
  const sides = [
    slugs.map((slug) => get(`/emissoes/${slug}`)),
    slugs.map((slug) => get(`/v1/emissoes/operacoes/${slug}`, key)),
    // As browsers ask for it.
    [get(`/emissoes/${operation}`, { 'accept-encoding': 'br' })],
  ].map((requests) => ({ requests, pids: platform.pids }));
  const [pages, answers, kept] = await interleave(sides, timing);
  return {
    compared: [compare('(q) pages of operations ÷ their REST responses, none of them kept', pages, answers, 0.5)],
    measured: [
      {
        name: '(q) the page of an operation, kept, compressed',
        value: median(kept.map(({ perSecond }) => perSecond)),
        unit: '/s',
        digits: 0,
        above: 5_000,
      },
      ...(await measurePanel(platform.url)),
    ],
  };
}

/** Opens the log-in of the panel with an empty cache and a processor that is four times slower, until a field takes what is typed. */
async function measurePanel(url) {
  if (!existsSync(executablePath)) {
    process.stderr.write(`The panel is not measured: there is no Chromium at ${executablePath}\n`);
    return [];
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const taken = [];
    let scriptBytes = 0;
    for (let at = 0; at < openings; at += 1) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      const scripts = new Set();
      scriptBytes = 0;
      devtools.on('Network.responseReceived', ({ requestId, type }) => {
        if (type === 'Script') scripts.add(requestId);
      });
      devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        if (scripts.has(requestId)) scriptBytes += encodedDataLength;
      });
      const begun = performance.now();
      await page.goto(`${url}/painel/entrar`, { waitUntil: 'commit' });
      await page.locator('[name=email]').pressSequentially('a');
      taken.push(performance.now() - begun);
      await page.waitForLoadState('networkidle');
      await context.close();
    }
    return [
      {
        name: '(q) the panel: from its address to the first key typed, processor 4 × slower: median',
        value: median(taken),
        unit: 'ms',
        digits: 0,
        below: 1_500,
      },
      { name: '(q) its script until then, as sent', value: scriptBytes / 1_000, unit: 'kB', digits: 0, below: 170 },
    ];
  } finally {
    await browser.close();
  }
}
