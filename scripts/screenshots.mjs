// Takes a picture of every public page in each state, at two sizes and in both languages, of a running program:
//   node scripts/screenshots.mjs [--url http://localhost:4000] [--out /tmp/lastro-screenshots] [--only emissoes]
// and with --panel instead of every screen and state of the panel, by the tests that go through it; they start a program of their own.
// This script needs a Chromium (CHROMIUM, or /usr/bin/chromium).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:4000' },
    out: { type: 'string', default: '/tmp/lastro-screenshots' },
    only: { type: 'string', default: '' },
    panel: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(
    'Usage: node scripts/screenshots.mjs [--url http://localhost:4000] [--out <folder>] [--only <part of a name>]\n' +
      '       node scripts/screenshots.mjs --panel [--out <folder>]\n',
  );
  process.exit(0);
}
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  process.stderr.write(`There is no Chromium at ${executablePath}: install it, or name it by CHROMIUM\n`);
  process.exit(1);
}

mkdirSync(values.out, { recursive: true });
if (values.panel) {
  const { status } = spawnSync('npm', ['test', '--', 'tests/apps/panel'], {
    stdio: 'inherit',
    env: { ...process.env, PANEL_PICTURES: values.out },
  });
  process.stdout.write(`${values.out}\n`);
  process.exit(status ?? 1);
}

const sizes = { phone: { width: 360, height: 780 }, desk: { width: 1440, height: 900 } };
const schemes = { phone: 'dark', desk: 'light' };

async function addresses(page) {
  const hrefOf = async (list, form) => {
    await page.goto(`${values.url}${list}`);
    return page.$$eval(
      'main a',
      (links, text) => links.map((link) => link.getAttribute('href')).find((href) => new RegExp(text).test(href)),
      form,
    );
  };
  const operation = await hrefOf('/emissoes', '^/emissoes/[^?.]+$');
  const series = await hrefOf(operation, '^/series/[^/]+$');
  const tranche = await hrefOf('/tokenizacao', '^/tokenizacao/series/');
  const estate = await hrefOf('/tokenizacao', '^/tokenizacao/patrimonios/');
  const asset = await hrefOf('/tokenizacao/ativos', '^/tokenizacao/ativos/[0-9a-f-]{36}$');
  const day = tranche && (await hrefOf(tranche, '/pu/\\d{4}'));
  const seriesDay = series && (await hrefOf(series, '/pu/\\d{4}'));
  const found = {
    home: '/',
    operations: '/emissoes',
    'operations-empty': '/emissoes?q=nada-com-este-nome',
    comparison: '/comparar?codigo=CRI-SERRAAZUL&codigo=CRA-MOGIANA',
    operation,
    'operation-no-prices': `${operation}?from=1999-01-01&to=1999-02-01`,
    inventory: `${operation}/estoque`,
    series,
    'series-embed': series && `/embed${series}`,
    tokens: '/tokenizacao',
    estate,
    tranche,
    'price-day': day,
    'price-day-then': day && `${day}?asOf=2001-01-01T09:00`,
    'price-day-invalid': day && `${day}?asOf=ontem`,
    'series-price-day': seriesDay,
    assets: '/tokenizacao/ativos',
    status: '/status',
    'assets-empty': '/tokenizacao/ativos?q=nada-com-este-nome',
    asset,
    docs: '/docs',
    'docs-operation': '/docs/rest/createOrder',
    'docs-guide': '/docs/guides/common',
    'not-found': '/nada',
    invalid: '/emissoes?type=XX&sort=YY',
    'confirm-mail': '/verificar-email?token=x',
    'reset-password': '/redefinir-senha?token=x',
  };
  return Object.entries(found).filter(([name, path]) => path !== undefined && name.includes(values.only));
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const paths = await addresses(await browser.newPage());
for (const [size, viewport] of Object.entries(sizes)) {
  for (const prefix of ['', '/en']) {
    const context = await browser.newContext({ viewport, colorScheme: schemes[size] });
    const page = await context.newPage();
    for (const [name, path] of paths) {
      await page.goto(`${values.url}${prefix}${path === '/' && prefix !== '' ? '' : path}`);
      const file = join(values.out, `${name}-${prefix === '' ? 'pt' : 'en'}-${size}.png`);
      await page.screenshot({ path: file, fullPage: true });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) process.stdout.write(`${file}: ${overflow} px wider than the window\n`);
    }
    await context.close();
  }
}
await browser.close();
process.stdout.write(`${values.out}\n`);
