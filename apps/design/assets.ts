import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { codingOf } from '../../gateway/http/reply/compression.js';

/** A file that browsers keep for ever: its address has a hash of its bytes. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly plain: Buffer;
  /** Its compressed forms; none of a file that is compressed in itself. */
  readonly brotli?: Buffer;
  readonly gzip?: Buffer;
}

/** Reads a file of `apps/` with the compressed forms that the build has written beside it; they are made here where the program runs from its sources. */
export function readAsset(file: URL, name: string, type: string): Asset {
  return readBuilt(file, addressOf(readFileSync(file), name), type);
}

/** Compresses less than the build does: the best quality would take a fifth of a second of each start, for a twelfth fewer bytes. */
export function makeAsset(text: string, name: string, type: string): Asset {
  const plain = Buffer.from(text);
  const brotli = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return { path: addressOf(plain, name), type, plain, brotli, gzip: gzipSync(plain) };
}

function addressOf(bytes: Buffer, name: string): string {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  const dot = name.lastIndexOf('.');
  return `/assets/${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
}

/** Reads a file whose name already has a hash, with its compressed forms. */
export function readBuilt(file: URL, path: string, type: string): Asset {
  const place = fileURLToPath(file);
  const plain = readFileSync(place);
  const built = (suffix: string, compress: (bytes: Buffer) => Buffer) =>
    existsSync(`${place}${suffix}`) ? readFileSync(`${place}${suffix}`) : compress(plain);
  return { path, type, plain, brotli: built('.br', brotliCompressSync), gzip: built('.gz', gzipSync) };
}

const { resolve } = createRequire(import.meta.url);
const inter = '@fontsource-variable/inter/';

/** Inter, in the two files that Portuguese and English need; the second only for a rare letter. */
const fontFiles = ['latin', 'latin-ext'].map((letters) => `files/inter-${letters}-wght-normal.woff2`);
export const fonts: readonly Asset[] = fontFiles.map((file) => {
  const plain = readFileSync(resolve(`${inter}${file}`));
  return { path: addressOf(plain, 'inter.woff2'), type: 'font/woff2', plain };
});

function fontRules(): string {
  const rules = readFileSync(resolve(`${inter}wght.css`), 'utf8').match(/@font-face {[^}]*}/g) ?? [];
  return fonts
    .map(({ path }, at) => {
      const file = `./${fontFiles[at] ?? ''}`;
      return rules.find((rule) => rule.includes(file))?.replace(file, path);
    })
    .join('\n');
}

const lucide = JSON.parse(readFileSync(resolve('@iconify-json/lucide/icons.json'), 'utf8')) as {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
};

function readStyles(name: string, icons: string, before = ''): Asset {
  const rules = icons.replaceAll(/\s*([\w-]+):(\S+)/g, 'a[href$="/$1"]{--icon:url(lucide:$2)}');
  const text = `${readFileSync(new URL(name, import.meta.url), 'utf8')}${rules}`;
  const whole = text.replaceAll(/url\(lucide:([a-z0-9-]+)\)/g, (_found, icon: string) => {
    const known = lucide.icons[icon];
    if (known === undefined) throw new Error(`Lucide has no icon ${icon}`);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${known.body}</svg>`;
    return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
  });
  return makeAsset(before + whole, name, 'text/css; charset=utf-8');
}

export const styleSheet = readStyles(
  'design.css',
  'light:sun system:monitor dark:moon',
  fontRules() + readFileSync(resolve('uplot/dist/uPlot.min.css'), 'utf8'),
);

export const chartScript = makeAsset(
  [resolve('uplot/dist/uPlot.iife.min.js'), new URL('chart.js', import.meta.url)]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n'),
  'chart.js',
  'text/javascript; charset=utf-8',
);

/** Styles of what the panel has and the public pages have not. */
export const panelStyles = readStyles(
  'panel.css',
  `
  originadores:factory empresas:building-complex mesa:scale importacoes:file-up indices:percent pagamentos:banknote
  trabalhos:list-checks webhooks:webhook auditoria:scroll-text contas:users operadores:user-cog mercados:chart-candlestick
  ordens:list saldos:wallet transferencias:arrow-left-right lotes:layers liquidacoes:badge-check
  enviar:upload recebiveis:receipt-text extrato:file-text patrimonios:vault chaves:key-round atividade:activity requisicoes:logs
  emissoes:bell eventos:radio seguranca:shield-check sessoes:monitor-smartphone
  dados:user`,
);

/** Returns the mark of a house, which browsers also show beside its name: its own, or ours. */
export function readMark(file: string | undefined): Asset {
  const mark = file === undefined ? new URL('./icon.svg', import.meta.url) : pathToFileURL(file);
  return readAsset(mark, 'icon.svg', 'image/svg+xml');
}

export function serveAssets(app: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, type, plain, brotli, gzip } of assets) {
    app.get(path, { config: { edge: { credential: 'none', bucket: 'unmetered' } } }, (request, reply) => {
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('vary', 'Accept-Encoding')
        .type(type);
      const coding = codingOf(request.headers['accept-encoding']);
      const coded = coding === 'br' ? brotli : coding === undefined ? undefined : gzip;
      return coded === undefined ? reply.send(plain) : reply.header('content-encoding', coding).send(coded);
    });
  }
}
