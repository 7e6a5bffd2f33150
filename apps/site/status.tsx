import { z } from 'zod';
import { Badge, noted, type Tone, TableSection } from '../design/basics.js';
import type { Operations } from './graph/operations.js';
import { definePage, type Page, type PageRequest, type Locale } from './page.js';

export interface Health {
  readonly writes: boolean;
  /** Whether the store that the processes share is reached; true if there is only one process. */
  readonly shares: boolean;
  /** Minutes for which the oldest event has waited to be passed on; 0 where none is late, undefined while that cannot be read. */
  readonly lateMinutes: number | undefined;
}

export type ReadHealth = () => Promise<Health>;

const unknown: Health = { writes: false, shares: true, lateMinutes: undefined };

const patienceMs = 3_000;

interface Book {
  readonly name: 'operations' | 'tokens';
  readonly day: string | null;
  readonly all: number;
  readonly late: readonly string[];
  readonly hasMore: boolean;
  readonly tone: Tone;
}

interface State {
  readonly name: 'interfaces' | 'data' | 'live' | 'markets';
  readonly tone: Tone;
  readonly text: string;
}

/** The status of the service, for everyone: a page, and its state for programs. */
export function statusPages(readHealth: ReadHealth): readonly Page[] {
  const load = async ({ read, note }: Pick<PageRequest<unknown>, 'read' | 'note'>) => {
    // A missing response is part of the status. It is not waited for: a database that hangs never fails.
    const tried = <Data,>(reading: Promise<Data>) =>
      new Promise<Data | undefined>((resolve) => {
        const timer = setTimeout(() => resolve(undefined), patienceMs);
        void reading.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer));
      });
    const [health = unknown, prices, markets] = await Promise.all([
      tried(readHealth()),
      tried(read('status', {})),
      tried(read('statusMarkets', {})),
    ]);
    note(health);
    return { health, books: prices && booksOf(prices), markets: markets?.markets };
  };
  type Read = Awaited<ReturnType<typeof load>>;

  const statesOf = ({ health, books, markets }: Read, { text, decimal }: Locale): readonly State[] => {
    const words = text.status;
    const { writes, shares, lateMinutes } = health;
    const all = markets?.length ?? 0;
    const open = markets?.filter(({ status, isQuoted }) => status === 'ACTIVE' && isQuoted).length ?? 0;
    const table: readonly (readonly [applies: boolean, State['name'], Tone, string])[] = [
      [books === undefined, 'interfaces', 'bad', words.down],
      [true, 'interfaces', 'good', words.works],
      [books === undefined, 'data', 'bad', words.down],
      [!writes, 'data', 'bad', words.readOnly],
      [true, 'data', 'good', words.works],
      [lateMinutes === undefined, 'live', 'bad', words.down],
      [lateMinutes !== 0, 'live', 'warn', words.late(decimal(lateMinutes ?? 0))],
      [!shares, 'live', 'warn', words.reduced],
      [true, 'live', 'good', words.works],
      [markets === undefined, 'markets', 'bad', words.down],
      [all > 0, 'markets', open === all ? 'good' : 'warn', words.open(decimal(open), decimal(all))],
    ];
    const states = table.flatMap(([applies, name, tone, said]) => (applies ? [{ name, tone, text: said }] : []));
    return states.filter(({ name }, at) => states.findIndex((one) => one.name === name) === at);
  };
  const worst = (read: Read, locale: Locale): Tone => {
    const tones = [...statesOf(read, locale), ...(read.books ?? [])].map(({ tone }) => tone);
    return (['bad', 'warn'] as const).find((tone) => tones.includes(tone)) ?? 'good';
  };

  return [
    definePage({
      path: '/status',
      query: z.object({}),
      load,
      view: (read, { locale }) => {
        const { status: words } = locale.text;
        const tone = worst(read, locale);
        return {
          title: words.title,
          description: words.description,
          path: '/status',
          body: (
            <>
              <div className="head">
                <h1>{words.title}</h1>
                <p>
                  <Badge tone={tone}>{tone === 'good' ? words.allWorks : words.troubled}</Badge>
                </p>
              </div>
              <TableSection
                id="parts"
                title={words.parts}
                rows={statesOf(read, locale)}
                keyOf={({ name }) => name}
                columns={[
                  { label: words.part, kind: 'wide', cell: ({ name }) => words.names[name] },
                  { label: words.state, cell: (row) => <Badge tone={row.tone}>{row.text}</Badge> },
                ]}
              />
              <TableSection
                id="prices"
                title={words.prices}
                rows={read.books ?? []}
                keyOf={({ name }) => name}
                empty={read.books === undefined ? words.down : words.noPrices}
                columns={[
                  { label: words.book, cell: ({ name }) => words.books[name] },
                  { label: words.lastDay, kind: 'nowrap', cell: ({ day }) => locale.date(day) },
                  {
                    label: words.current,
                    cell: ({ all, late, hasMore, tone: own }) =>
                      noted(
                        <Badge tone={own}>
                          {words.of(locale.decimal(all - late.length), locale.counted(all, hasMore))}
                        </Badge>,
                        late.join(', '),
                      ),
                  },
                ]}
              />
            </>
          ),
        };
      },
    }),
    definePage({
      path: '/status.json',
      query: z.object({}),
      load,
      view: (read, { locale }) => ({
        type: 'application/json; charset=utf-8',
        // A monitor alerts people only when `works` is false; late or limited data can wait.
        bytes: JSON.stringify({ works: worst(read, locale) !== 'bad', limited: worst(read, locale) === 'warn' }),
      }),
    }),
  ];
}

function booksOf({ series, tranches }: Operations['status']['data']): readonly Book[] {
  const nodes = series.nodes.map((one) => ({ ...one, pricedOn: one.currentUnitPrice?.date ?? null }));
  return [bookOf('operations', { ...series, nodes }), bookOf('tokens', tranches)];
}

function bookOf(name: Book['name'], { nodes, pageInfo }: Operations['status']['data']['tranches']): Book {
  const late = nodes.filter(({ stale }) => stale).map(({ ticker }) => ticker);
  return {
    name,
    day: nodes.reduce((newest, { pricedOn }) => ((pricedOn ?? '') > newest ? (pricedOn ?? '') : newest), '') || null,
    all: nodes.length,
    late,
    hasMore: pageInfo.hasNextPage,
    tone: late.length === 0 ? 'good' : 'warn',
  };
}
