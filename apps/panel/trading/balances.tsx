import { useState } from 'react';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { civilDate, startOfDay } from '../../../shared/kernel/clock.js';
import { csvLine } from '../../../shared/kernel/format/csv-line.js';
import { noted, Section, Stats, Table } from '../../design/basics.js';
import { Button, SelectInput } from '../../design/controls/controls.js';
import { FailureError } from '../frame/failure.js';
import { date, moment, plural, wordOf } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { FailureNotice, Loaded, PageHead } from '../frame/parts.js';
import { saveFile } from '../frame/save-file.js';
import { serverNow } from '../frame/session.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { useWalletEvents } from './live.js';
import { exact } from './price.js';
import { tradingTexts } from '../texts.js';
import { useWallet, type Wallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';

const periods = [1, 7, 30, 90] as const;
const rowsPerPage = 25;
/** Pages of a file: more movements are for programs. */
const mostPages = 100;

/** The balances of the wallet, which follow each change, and the movements of a currency. */
export function Balances() {
  const { balances: text, words } = tradingTexts.get();
  const wallet = useWallet();
  const query = useQuery(graph, 'balances', { ...wallet });
  useWalletEvents('balancesLive', wallet, query.reload);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WalletBar />
      <Loaded query={query}>
        {({ balances }) => (
          <>
            <Table
              caption={text.title}
              rows={balances}
              keyOf={({ currency }) => currency}
              empty={text.empty}
              columns={[
                { label: words.currency, cell: ({ currency }) => currency },
                { label: text.available, kind: 'number', cell: ({ available }) => exact(available) },
                { label: text.locked, kind: 'number', cell: ({ locked }) => exact(locked) },
                { label: words.total, kind: 'number', cell: ({ total }) => exact(total) },
              ]}
            />
            <Statement wallet={wallet} currencies={balances.map(({ currency }) => currency)} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Statement({ wallet, currencies }: { readonly wallet: Wallet; readonly currencies: readonly string[] }) {
  const { balances: text, words } = tradingTexts.get();
  const action = useAction();
  const [currency, setCurrency] = useState(currencies.includes('BRL') ? 'BRL' : (currencies[0] ?? ''));
  const [days, setDays] = useState<number>(7);
  // A period of whole days in São Paulo, so that the address of the question stays the same while the page is shown.
  const firstDay = addDays(civilDate(new Date(serverNow())), 1 - days);
  const from = startOfDay(firstDay).toISOString();
  const pages = usePages(
    graph,
    'statement',
    { ...wallet, currency, from, first: rowsPerPage },
    ({ statement: { movements, pageInfo } }) => ({ nodes: movements, pageInfo, totalCount: null }),
  );
  return (
    <Section id="statement" title={words.statement}>
      <div className="filter">
        <SelectInput
          name="currency"
          label={words.currency}
          value={currency}
          onChange={setCurrency}
          options={currencies.map((value) => ({ value, text: value }))}
        />
        <SelectInput
          name="days"
          label={text.period}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          options={periods.map((value) => ({
            value: String(value),
            text: plural(value, text.days),
          }))}
        />
        <Button
          isBusy={action.isBusy}
          onPress={() =>
            void action.run(async () => {
              const file = await statementFile({ ...wallet, currency, from });
              saveFile(`${text.fileName}-${currency}-${firstDay}.csv`, file, 'csv');
            })
          }
        >
          {text.download}
        </Button>
        <Button isBusy={pages.isLoading} onPress={pages.reload}>
          {words.refresh}
        </Button>
        <FailureNotice failure={action.failure} />
      </div>
      {pages.data === undefined ? null : (
        <Stats
          items={[
            { label: text.opening, value: exact(pages.data.statement.opening.total), note: date(firstDay) },
            {
              label: text.closing,
              value: exact(pages.data.statement.closing.total),
              note: moment(pages.data.statement.to),
            },
          ]}
        />
      )}
      <PagedTable
        pages={pages}
        caption={words.statement}
        keyOf={({ journalId }) => journalId}
        empty={text.noMovements}
        columns={[
          { label: words.time, kind: 'nowrap', cell: ({ postedAt }) => moment(postedAt) },
          {
            label: text.cause,
            kind: 'wide',
            cell: ({ cause, reason, market, address }) => noted(causeText(cause), reason ?? market ?? address),
          },
          { label: text.available, kind: 'number', cell: ({ available }) => exact(available) },
          { label: text.locked, kind: 'number', cell: ({ locked }) => exact(locked) },
          { label: text.balance, kind: 'number', cell: ({ balance }) => exact(balance.total) },
        ]}
      />
    </Section>
  );
}

const causeText = (cause: string) => wordOf(tradingTexts.get().balances.causes, cause);

/** Returns the movements of a period as CSV, in the words and the time of the page, with the ids of the contract. @throws {FailureError} for more than fit into a file */
async function statementFile(period: Omit<Operations['statement']['variables'], 'first' | 'after'>): Promise<string> {
  const { balances: text } = tradingTexts.get();
  const lines = [csvLine(text.fileHead, ';')];
  let after: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const { statement }: Operations['statement']['data'] = await graph.query('statement', {
      ...period,
      first: 100,
      after,
    });
    for (const { postedAt, cause, balance, ...one } of statement.movements) {
      const time = new Date(postedAt).toLocaleString('sv-SE', { timeZone: 'America/Sao_Paulo' });
      const ids = [one.orderId ?? '', one.causeId, one.journalId];
      const of = [one.reason, one.market, one.network, one.address, one.transaction, one.fee].map((cell) => cell ?? '');
      const cells = [time, causeText(cause), ...ids, ...of, one.available, one.locked, balance.total];
      lines.push(csvLine(cells, ';'));
    }
    if (!statement.pageInfo.hasNextPage) return lines.join('');
    after = statement.pageInfo.endCursor;
  }
  throw new FailureError({ code: 'TOO_LONG', message: '', said: text.tooLong, details: [] });
}
