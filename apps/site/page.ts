import type { ReactNode } from 'react';
import { z } from 'zod';
import { ApiError } from '../../shared/kernel/errors.js';
import type { Asset } from '../design/assets.js';
import { instantOf } from './moment.js';
import type { Reader } from './reader.js';
import { formatsOf, type Formats, type LanguageCode } from '../design/formats.js';
import { inLanguage, type InLanguage } from '../design/texts.js';
import { texts } from './messages.js';

export interface Site {
  /** Address of the site, without a slash at its end. */
  readonly url: string;
  /** Whose site it is: HOUSE_NAME, HOUSE_TAX_ID and HOUSE_LOGO_FILE. */
  readonly house: { readonly name: string; readonly taxId: string | undefined; readonly mark: Asset };
}

export interface PageRequest<Query> extends Pick<Reader, 'read'> {
  readonly site: Site;
  readonly locale: Locale;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly note: Reader['note'];
  /** The civil day in São Paulo. */
  readonly today: string;
}

export interface Content {
  readonly title: string;
  readonly description: string;
  readonly body: ReactNode;
  /** The path below the language's prefix under which the page is found; without the parameters that only choose a view. */
  readonly path: string;
  readonly area?: 'operations' | 'tokens' | 'assets' | 'reference';
  readonly image?: string;
  readonly feeds?: readonly { readonly href: string; readonly title: string }[];
  readonly data?: object;
  /** 400 where the page shows an error of its form. */
  readonly status?: 200 | 400;
  /** Whether other sites may embed it, without navigation. */
  readonly framed?: boolean;
  readonly hasChart?: boolean;
  /** Addresses of the script and the one style sheet of a page that needs a script, with its Content-Security-Policy. */
  readonly scripted?: { readonly script: string; readonly style: string; readonly policy: string };
}

export interface FileContent {
  readonly type: string;
  readonly bytes: Buffer | string;
  /** The name under which browsers save it; without one they show it. */
  readonly fileName?: string;
  /** Whether other sites may show it. */
  readonly shared?: boolean;
}

export interface Redirect {
  readonly location: string;
}

export type Outcome = Content | FileContent | Redirect;

export interface Page {
  /** Below the language's prefix. */
  readonly path: string;
  readonly parameters: ReadonlySet<string>;
  /** Reads the data, and returns the function that makes the content of it. @throws {ApiError} BAD_REQUEST with all parameters that cannot be read; NOT_FOUND */
  readonly load: (request: PageRequest<unknown>) => Promise<() => Outcome | Promise<Outcome>>;
}

export interface PageParts<Shape extends z.ZodRawShape, Data> {
  readonly path: string;
  readonly query: z.ZodObject<Shape>;
  readonly load: (request: PageRequest<z.output<z.ZodObject<Shape>>>) => Promise<Data>;
  readonly view: (data: Data, request: PageRequest<z.output<z.ZodObject<Shape>>>) => Outcome | Promise<Outcome>;
}

export function definePage<Shape extends z.ZodRawShape, Data>(parts: PageParts<Shape, Data>): Page {
  const { path, query: shape } = parts;
  return {
    path,
    parameters: new Set(Object.keys(shape.shape)),
    load: async (request) => {
      const known = { ...request, query: checkedQuery(shape, request) };
      const data = await parts.load(known);
      return () => parts.view(data, known);
    },
  };
}

/** Parses the query. A form sends its empty fields, too: they count as absent. */
function checkedQuery<Shape extends z.ZodRawShape>(shape: z.ZodObject<Shape>, { query, locale }: PageRequest<unknown>) {
  const given = Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const { errors } = locale.text;
  const isKey = (key: string): key is keyof typeof errors => Object.hasOwn(errors, key);
  const details = parsed.error.issues.map(({ path, message }) => ({
    path: path.join('.'),
    message: isKey(message) ? errors[message] : errors.value,
  }));
  throw new ApiError('BAD_REQUEST', { details });
}

/** Fields of queries; the messages are keys of the texts. */
const text = z.string({ error: 'repeated' });
const dayForm = /^(19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const isDay = (value: string) => dayForm.test(value) && new Date(`${value}T00:00:00Z`).toJSON().startsWith(value);

/** Returns the day in a path. @throws {ApiError} NOT_FOUND for any other text */
export function dayOf(segment: string | undefined): string {
  if (segment === undefined || !isDay(segment)) throw new ApiError('NOT_FOUND');
  return segment;
}

export const fields = {
  search: text.max(100, 'long').optional(),
  cursor: text.max(1000, 'long').optional(),
  ticker: text.max(100, 'long').optional(),
  day: text.refine(isDay, 'date').optional(),
  number: text.max(40, 'long').optional(),
  month: text.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'month').optional(),
  /** A moment as an instant, for files; a page reads what was typed, and shows its error in its form (`moment.ts`). */
  moment: text
    .transform((value, context) => {
      const instant = instantOf(value);
      if (instant === undefined) context.addIssue({ code: 'custom', message: 'moment' });
      return instant ?? z.NEVER;
    })
    .optional(),
  typedMoment: text.max(100, 'long').optional(),
  pageNumber: text
    .regex(/^[1-9]\d{0,4}$|^100000$/, 'page')
    .transform(Number)
    .optional(),
  oneOf: <const Values extends readonly [string, ...string[]]>(values: Values) =>
    z.enum(values, { error: ({ input }) => (Array.isArray(input) ? 'repeated' : 'value') }).optional(),
  /** Some of the values, repeated as a form sends them or with commas between them as links do. */
  some: (values: readonly string[]) =>
    z
      .union([z.string(), z.array(z.string())], { error: 'value' })
      .transform((given) => [given].flat().join(',').split(','))
      .refine((given) => given.every((one, at) => values.includes(one) && given.indexOf(one) === at), 'value')
      .transform((given) => given.join(','))
      .optional(),
};

/** Returns the address of a path with parameters, without those that are absent. */
export function addressOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** Returns the value. @throws {ApiError} NOT_FOUND if it is null or undefined */
export function required<T>(value: T | null | undefined): T {
  if (value == null) throw new ApiError('NOT_FOUND');
  return value;
}

/** A language of the pages: its texts, and how it writes numbers, money and days. A missing value is a dash. */
export interface Locale extends Formats {
  readonly code: LanguageCode;
  /** First part of the paths of its pages. */
  readonly prefix: '' | '/en';
  readonly graph: 'PT_BR' | 'EN';
  readonly name: string;
  readonly text: InLanguage<typeof texts>;
}

function createLocale(settings: Omit<Locale, keyof Formats | 'text'>): Locale {
  const { code } = settings;
  return { ...settings, ...formatsOf(code), text: inLanguage(code, texts) };
}

export const locales: readonly [Locale, Locale] = [
  createLocale({ code: 'pt-BR', prefix: '', graph: 'PT_BR', name: 'Português' }),
  createLocale({ code: 'en', prefix: '/en', graph: 'EN', name: 'English' }),
];

export function localeOf(path: string): Locale {
  const [usual, other] = locales;
  return /^\/en(?:\/|\?|$)/.test(path) ? other : usual;
}

interface Remuneration {
  readonly indexer: string;
  readonly indexerLabel: string;
  readonly indexerPercent: string;
  readonly rate: string;
}

/** Writes what a series pays, as `CDI + 3.67% p.a.` or `110% of CDI`. */
export function remunerationOf(locale: Locale, { indexer, indexerLabel, indexerPercent, rate }: Remuneration): string {
  const [yearly, of] = locale.code === 'en' ? ['p.a.', 'of '] : ['a.a.', 'do '];
  const spread = `${locale.percent(rate)} ${yearly}`;
  if (indexer === 'PREFIXED') return spread;
  const index =
    Number(indexerPercent) === 100
      ? indexerLabel
      : `${locale.decimal(indexerPercent.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''))}% ${of}${indexerLabel}`;
  return Number(rate) === 0 ? index : `${index} + ${spread}`;
}

export const remunerationsOf = (locale: Locale, series: readonly Remuneration[]) =>
  [...new Set(series.map((one) => remunerationOf(locale, one)))].join(' / ');

export function trancheRemunerationOf(
  locale: Locale,
  tranche: {
    readonly indexer: string;
    readonly indexerLabel: string;
    readonly diPercentage: string | null;
    readonly remunerationPercentagePerYear: string;
  },
): string {
  const { indexer, indexerLabel, diPercentage, remunerationPercentagePerYear: rate } = tranche;
  return remunerationOf(locale, { indexer, indexerLabel, indexerPercent: diPercentage ?? '100', rate });
}
