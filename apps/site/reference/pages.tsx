import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { makeAsset, readAsset, styleSheet, type Asset } from '../../design/assets.js';
import { pathIn } from '../layout.js';
import { definePage, required, type Content, type Outcome, type Page, type Locale } from '../page.js';
import { referencePolicy } from '../policy.js';
import { headingsOf, htmlOfMarkdown, type Link } from './markdown.js';
import { portuguese } from './portuguese.js';

export interface ReferenceSource {
  readonly openApiText: string;
  readonly publicUrl: string;
  /** Whether the schema of the graph is published (GRAPHQL_SDL). */
  readonly publishesSchema: boolean;
  /** Whether the editor of GraphQL, with the documentation of its types, is served. */
  readonly hasEditor: boolean;
}

const messages = {
  'pt-BR': {
    title: 'Referência da API',
    description: 'REST, GraphQL, webhooks e atualizações ao vivo: caminhos, campos, erros, exemplos e guias.',
    contents: 'Conteúdo',
    toContents: 'Ir para o conteúdo da referência',
    sections: 'Seções',
    guides: 'Guias (em inglês)',
    contract: 'Contrato (em inglês)',
    formats: 'Esquemas',
    overview: 'REST e webhooks',
    openApi: 'OpenAPI (JSON)',
    sdl: 'GraphQL (SDL)',
    editor: 'GraphQL: editor e documentação',
  },
  en: {
    title: 'API reference',
    description: 'REST, GraphQL, webhooks and live updates: paths, fields, errors, examples and guides.',
    contents: 'Contents',
    toContents: 'Go to the contents of the reference',
    sections: 'Sections',
    guides: 'Guides',
    contract: 'Contract',
    formats: 'Schemas',
    overview: 'REST and webhooks',
    openApi: 'OpenAPI (JSON)',
    sdl: 'GraphQL (SDL)',
    editor: 'GraphQL: editor and documentation',
  },
};
const openApiPath = '/docs/reference.json';

/** Returns the pages of the reference. Their content is made at the first request, and cached like all pages. */
export function referencePages(source: ReferenceSource): readonly Page[] {
  let anchors: ReadonlyMap<string, string> | undefined;
  const page = (path: string, view: (locale: Locale, params: Readonly<Record<string, string>>) => Outcome): Page =>
    definePage({
      path,
      query: z.object({}),
      load: () => Promise.resolve(undefined),
      view: (_none, { locale, params }) => view(locale, params),
    });
  return [
    page('/docs', (locale) => referencePage(source, locale)),
    page(openApiPath, (locale) => ({
      type: 'application/json; charset=utf-8',
      bytes: JSON.stringify(shownOpenApi(source.openApiText, locale)),
    })),
    page('/docs/rest/:operation', (locale, { operation = '' }) => {
      const anchor = required((anchors ??= anchorsOf(source.openApiText)).get(operation));
      return { location: `${pathIn(locale, '/docs')}#${anchor}` };
    }),
    ...texts.map((guide) => page(guide.path, (locale) => guidePage(source, guide, locale))),
  ];
}

const scalarFile = ['./scalar.js', '../../../dist/apps/site/reference/scalar.js']
  .map((path) => new URL(path, import.meta.url))
  .find((file) => existsSync(file));
/** Scalar's script. Tests run from the sources and use the one of the last build. */
const scalar = scalarFile && readAsset(scalarFile, 'scalar.js', 'text/javascript; charset=utf-8');
const start = readAsset(new URL('./start.js', import.meta.url), 'reference.js', 'text/javascript; charset=utf-8');

/** The site's styles are a layer below Scalar's, whose elements they would change otherwise. */
const style = makeAsset(
  `@import url('${styleSheet.path}') layer(site);\n${readFileSync(new URL('./reference.css', import.meta.url), 'utf8')}`,
  'reference.css',
  'text/css; charset=utf-8',
);

export const referenceAssets: readonly Asset[] = [...(scalar ? [scalar] : []), start, style];

/** Scalar shows the document; without scripts the contents lead to the texts. */
function referencePage(source: ReferenceSource, locale: Locale): Content {
  const text = messages[locale.code];
  return {
    title: text.title,
    description: text.description,
    path: '/docs',
    area: 'reference',
    scripted: { script: start.path, style: style.path, policy: referencePolicy },
    body: (
      <>
        <div className="head">
          <h1>{text.title}</h1>
          <Contents source={source} locale={locale} path="/docs" />
        </div>
        <div
          id="reference"
          data-script={scalar?.path}
          data-open-api={pathIn(locale, openApiPath)}
          data-locale={locale.code === 'en' ? 'en' : 'pt'}
        />
      </>
    ),
  };
}

function guidePage(source: ReferenceSource, guide: Guide, locale: Locale): Content {
  const text = messages[locale.code];
  const file = readFileSync(new URL(`../../../${guide.file}`, import.meta.url), 'utf8');
  const markdown = file.replaceAll('http://localhost:4000', source.publicUrl);
  const sections = headingsOf(markdown).filter(({ level }) => level === 2);
  const html = htmlOfMarkdown(markdown, (href) => {
    const link = guideLink(guide, href);
    return link?.href.startsWith('/') === true ? { ...link, href: pathIn(locale, link.href) } : link;
  });
  return {
    title: guide.title,
    description: text.description,
    path: guide.path,
    area: 'reference',
    body: (
      <div className="reference">
        <p className="to-contents">
          <a href="#contents">{text.toContents}</a>
        </p>
        <article {...(locale.code === 'en' ? {} : { lang: 'en' })}>
          {sections.length < 2 ? null : (
            <nav className="sections" aria-label={text.sections}>
              <ul className="jump">
                {sections.map(({ id, text: title }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{title}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        </article>
        <aside>
          <Contents source={source} locale={locale} path={guide.path} />
        </aside>
      </div>
    ),
  };
}

/** Links to every text of the reference. @param path of the page that they stand on */
function Contents(props: { readonly source: ReferenceSource; readonly locale: Locale; readonly path: string }) {
  const { source, locale, path } = props;
  const text = messages[locale.code];
  const linksTo = (pages: readonly Guide[]) =>
    pages.map((one) => ({ href: pathIn(locale, one.path), title: one.title }));
  const groups = [
    // These texts are only in English.
    { title: text.guides, links: linksTo(guides.guides), lang: 'en' },
    { title: text.contract, links: linksTo(guides.contract), lang: 'en' },
    {
      title: text.formats,
      links: [
        { href: pathIn(locale, '/docs'), title: text.overview },
        { href: '/openapi.json', title: text.openApi },
        ...(source.publishesSchema ? [{ href: '/schema.graphql', title: text.sdl }] : []),
        ...(source.hasEditor ? [{ href: '/graphql', title: text.editor }] : []),
      ],
    },
  ];
  return (
    <nav id="contents" aria-label={text.contents}>
      {groups.map(({ title: group, links, lang }) => (
        <div key={group}>
          <h2>{group}</h2>
          <ul lang={lang}>
            {links.map(({ href, title }) => (
              <li key={href}>
                <a href={href} {...(href === pathIn(locale, path) ? { 'aria-current': 'page' as const } : {})}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface Guide {
  readonly path: string;
  readonly file: string;
  readonly title: string;
}

const guide = (path: string, file: string, title: string): Guide => ({ path, file, title });

/** The texts by group, in the order in which they are listed. `scripts/build.mjs` copies their files. */
const guides = {
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

const texts: readonly Guide[] = [...guides.guides, ...guides.contract];

/** Returns the page that a link of a text leads to; undefined for a file that is no page. */
function guideLink(from: Guide, href: string): Link | undefined {
  if (href.startsWith('https://') || href.startsWith('#')) return { href };
  const [file = '', hash] = href.split('#', 2);
  const path = new URL(file, `file:///${from.file}`).pathname.slice(1);
  const found = texts.find((one) => one.file === path);
  if (found === undefined) return undefined;
  return { href: hash === undefined ? found.path : `${found.path}#${hash}`, title: found.title };
}

const operation = z.looseObject({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  callbacks: z.record(z.string(), z.record(z.string(), z.object({ post: z.looseObject({}) }))).optional(),
});
const form = z.looseObject({
  info: z.looseObject({ title: z.string(), description: z.string() }),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({ description: z.string().optional() })) }),
});

/** Prefix of the component schemas of webhook bodies; the name of the event follows. */
const ofEvent = 'event.';

/** Returns the OpenAPI document in a language, with `webhooks` in place of callbacks. @throws {ZodError} if it is not a document of `rest/openapi` */
function shownOpenApi(text: string, { code }: Locale): object {
  const { info, tags, paths, ...document } = form.parse(JSON.parse(text));
  const translation = code === 'en' ? undefined : portuguese;
  const [delivery] = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ callbacks = {} }) => Object.values(callbacks))
    .flatMap((addresses) => Object.values(addresses));
  return {
    ...document,
    info: {
      ...info,
      ...(translation === undefined ? {} : { title: translation.title, description: translation.introduction }),
    },
    tags: tags.map((tag) => {
      const { name, description } = translation?.tags[tag.name] ?? tag;
      return { ...tag, 'x-displayName': name, description };
    }),
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (one) => ({
        ...one,
        callbacks: undefined,
        summary: translation?.summaries[one.operationId] ?? one.summary,
      })),
    ),
    webhooks: Object.fromEntries(
      Object.entries(document.components.schemas)
        .filter(([name]) => name.startsWith(ofEvent))
        .map(([component, { description }]) => {
          const name = component.slice(ofEvent.length);
          const content = { 'application/json': { schema: { $ref: `#/components/schemas/${component}` } } };
          const event = {
            summary: name,
            description: translation?.events[name] ?? description,
            requestBody: { content },
          };
          return [name, { post: { ...delivery?.post, operationId: component, ...event } }];
        }),
    ),
  };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** Returns the place of each operation in the reference by its id, as Scalar writes it after `#`. */
function anchorsOf(text: string): ReadonlyMap<string, string> {
  const operations = Object.entries(form.parse(JSON.parse(text)).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ path, method, ...one })),
  );
  return new Map(
    operations.map(({ operationId, tags: [tag], method, path }) => [
      operationId,
      `tag/${slugOf(tag)}/${method.toUpperCase()}${path}`,
    ]),
  );
}

function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}
