import { z } from 'zod';
import { definePage, fields, required, type Content, type Page, type PageRequest } from '../page.js';
import { advice } from './faults.js';
import type { Frame } from './frame.js';
import { domainsOf } from './graphql-domains.js';
import { domainPage, graphqlIndexPage } from './graphql-pages.js';
import { guidePage } from './guide-pages.js';
import { texts } from './guides.js';
import { operationsOf, readOpenApi, tagSlug } from './open-api.js';
import { operationPage } from './operation-page.js';
import { errorsPage, overviewPage, restIndexPage, tagPage } from './rest-pages.js';
import { searchEntries } from './search-index.js';
import { searchPage } from './search-page.js';
import { once, type ReferenceSource } from './source.js';
import { webhookPage } from './webhook-page.js';

/**
 * Returns the pages of the reference. Nothing is read or made before the first request, so that the start costs nothing; what is made is kept, and
 * the responses are kept as those of all pages.
 */
export function referencePages(source: ReferenceSource): readonly Page[] {
  const openApi = once(() => readOpenApi(source.openApiText));
  const domains = once(() => domainsOf(source.schema, source.supergraphSdl));
  const entries = once(() => searchEntries(openApi(), source.publishesSchema ? domains() : undefined));

  const page = (path: string, view: (frame: Frame, param: (name: string) => string) => Content): Page =>
    definePage({
      path,
      query: z.object({}),
      load: () => Promise.resolve(undefined),
      view: (_none, request) => {
        const param = (name: string) => request.params[name] ?? '';
        return view(
          frameOf(
            request,
            path.replace(/:(\w+)/g, (_whole, name: string) => param(name)),
          ),
          param,
        );
      },
    });
  const frameOf = ({ locale }: PageRequest<unknown>, path: string): Frame => ({
    locale,
    openApi: openApi(),
    publishesSchema: source.publishesSchema,
    path,
  });

  return [
    page('/docs', overviewPage),
    page('/docs/rest', restIndexPage),
    page('/docs/rest/tags/:tag', (frame, param) =>
      tagPage(frame, required(openApi().tags.find(({ name }) => tagSlug(name) === param('tag')))),
    ),
    page('/docs/rest/:operation', (frame, param) =>
      operationPage(frame, required(operationsOf(openApi()).find(({ id }) => id === param('operation'))), source),
    ),
    page('/docs/errors', (frame) => errorsPage(frame, (status) => advice[status] ?? '')),
    page('/docs/webhooks', webhookPage),
    ...texts.map((guide) => page(guide.path, (frame) => guidePage(frame, guide))),
    ...(source.publishesSchema
      ? [
          page('/docs/graphql', (frame) => graphqlIndexPage(frame, domains())),
          page('/docs/graphql/:domain', (frame, param) => {
            const domain = required(domains().all.find(({ name }) => name === param('domain')));
            return domainPage(frame, domains(), domain);
          }),
        ]
      : []),
    definePage({
      path: '/docs/search',
      query: z.object({ q: fields.search }),
      load: () => Promise.resolve(undefined),
      view: (_none, request) => searchPage(frameOf(request, '/docs/search'), entries(), request.query.q?.trim() ?? ''),
    }),
  ];
}
