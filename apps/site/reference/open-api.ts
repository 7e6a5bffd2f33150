import { z } from 'zod';
import type { Locale } from '../page.js';
import { portuguese } from './portuguese.js';

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
export function shownOpenApi(text: string, { code }: Locale): object {
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
export function anchorsOf(text: string): ReadonlyMap<string, string> {
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
