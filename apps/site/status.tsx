import { z } from 'zod';
import { Badge, Section, type Tone } from '../design/basics.js';
import { Table } from '../design/table.js';
import type { Locale } from './locale.js';
import { definePage, type Page, type PageRequest } from './page.js';

/** What this process knows of what it depends on, as the alerts measure it. */
export interface Health {
  readonly writes: boolean;
  /** Whether what the processes share is reached; true where there is one process alone. */
  readonly shares: boolean;
  /** Minutes for which the oldest event has waited to be passed on; 0 where none is late. */
  readonly lateMinutes: number;
}

export type ReadHealth = () => Promise<Health>;

interface Book {
  readonly name: 'operations' | 'tokens';
  readonly day: string | null;
  readonly all: number;
  readonly late: number;
}

interface State {
  readonly name: 'interfaces' | 'data' | 'live' | 'markets';
  readonly tone: Tone;
  readonly text: string;
}

/** The status of the service, for everyone: a page, and its state for programs. */
export function statusPages(readHealth: ReadHealth): readonly Page[] {
  const load = async ({ site, read, note }: Pick<PageRequest<unknown>, 'site' | 'read' | 'note'>) => {
    // What does not respond is part of the status.
    const tried = <Data,>(reading: Promise<Data>) => reading.catch(() => undefined);
    const [health, series, tranches, markets] = await Promise.all([
      readHealth(),
      site.operations ? tried(read('statusSeries', {})) : undefined,
      tried(read('statusTranches', {})),
      tried(read('statusMarkets', {})),
    ]);
    note(health);
    const books = [
      ...(series === undefined
        ? []
        : [seriesBook(series.series.nodes.map(({ currentUnitPrice }) => currentUnitPrice?.date))]),
      ...(tranches === undefined ? [] : [trancheBook(tranches.tranches.nodes)]),
    ];
    return { health, books, markets: markets?.markets, isRead: tranches !== undefined };
  };
  type Read = Awaited<ReturnType<typeof load>>;

  const statesOf = ({ health, markets, isRead }: Read, { text, decimal }: Locale): readonly State[] => {
    const words = text.status;
    const state = (name: State['name'], tone: Tone, said: string): State => ({ name, tone, text: said });
    const { writes, shares, lateMinutes } = health;
    const open = markets?.filter(({ status, isQuoted }) => status === 'ACTIVE' && isQuoted) ?? [];
    const data = isRead && writes;
    return [
      state('interfaces', isRead ? 'good' : 'bad', isRead ? words.works : words.down),
      state('data', data ? 'good' : 'bad', data ? words.works : isRead ? words.readOnly : words.down),
      state(
        'live',
        lateMinutes > 0 || !shares ? 'warn' : 'good',
        lateMinutes > 0 ? words.late(decimal(lateMinutes)) : shares ? words.works : words.reduced,
      ),
      ...(markets === undefined || markets.length === 0
        ? []
        : [
            state(
              'markets',
              open.length === markets.length ? 'good' : 'warn',
              words.open(decimal(open.length), decimal(markets.length)),
            ),
          ]),
    ];
  };
  const worst = (states: readonly State[]): Tone =>
    (['bad', 'warn'] as const).find((tone) => states.some((state) => state.tone === tone)) ?? 'good';

  return [
    definePage({
      path: '/status',
      query: z.object({}),
      load,
      view: (read, { locale }) => {
        const { status: words } = locale.text;
        const states = statesOf(read, locale);
        const tone = worst(states);
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
              <Section id="parts" title={words.parts}>
                <Table
                  caption={words.parts}
                  rows={states}
                  keyOf={({ name }) => name}
                  empty=""
                  columns={[
                    { label: words.part, kind: 'wide', cell: ({ name }) => words.names[name] },
                    { label: words.state, cell: (row) => <Badge tone={row.tone}>{row.text}</Badge> },
                  ]}
                />
              </Section>
              <Section id="prices" title={words.prices}>
                <Table
                  caption={words.prices}
                  rows={read.books}
                  keyOf={({ name }) => name}
                  empty={words.noPrices}
                  columns={[
                    { label: words.book, cell: ({ name }) => words.books[name] },
                    { label: words.lastDay, kind: 'nowrap', cell: ({ day }) => locale.date(day) },
                    {
                      label: words.current,
                      kind: 'nowrap',
                      cell: ({ all, late }) => (
                        <Badge tone={late === 0 ? 'good' : 'warn'}>
                          {words.of(locale.decimal(all - late), locale.decimal(all))}
                        </Badge>
                      ),
                    },
                  ]}
                />
              </Section>
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
        bytes: JSON.stringify({ works: worst(statesOf(read, locale)) === 'good' }),
      }),
    }),
  ];
}

/** The series of operations: those that have prices but none of the newest day are late. */
function seriesBook(every: readonly (string | undefined)[]): Book {
  const days = every.filter((day) => day !== undefined);
  const day = newestOf(days);
  return { name: 'operations', day, all: days.length, late: days.filter((one) => one !== day).length };
}

function trancheBook(rows: readonly { readonly pricedOn: string | null; readonly stale: boolean }[]): Book {
  const day = newestOf(rows.map(({ pricedOn }) => pricedOn ?? undefined));
  return { name: 'tokens', day, all: rows.length, late: rows.filter(({ stale }) => stale).length };
}

const newestOf = (days: readonly (string | undefined)[]) =>
  days
    .flatMap((day) => day ?? [])
    .sort()
    .at(-1) ?? null;
