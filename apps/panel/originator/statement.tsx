import { useState } from 'react';
import { addMonths } from '../../../shared/kernel/calendar/days.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { csvLine } from '../../../shared/kernel/format/csv-line.js';
import { Empty, Facts, Table } from '../../design/basics.js';
import { Button, SelectInput } from '../../design/controls/controls.js';
import { date, decimal, money, month } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { saveFile } from '../frame/save-file.js';
import { frameTexts } from '../frame/texts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { originatorTexts } from '../texts.js';

/** The present month in São Paulo and the 23 before it, `YYYY-MM`. */
const recentMonths = () => Array.from({ length: 24 }, (_, back) => addMonths(civilDate(new Date()).slice(0, 7), -back));

export function Statement() {
  const { activity, statement: text, words } = originatorTexts.get();
  const query = useQuery(graph, 'originators', {});
  const [months] = useState(recentMonths);
  const [wanted, setWanted] = useState({ originator: '', estate: '', month: months[0] ?? '' });
  return (
    <>
      <PageHead title={words.statement} lead={text.lead} />
      <Loaded query={query}>
        {({ myOriginators }) => {
          const own = myOriginators.find(({ id }) => id === wanted.originator) ?? myOriginators[0];
          if (own === undefined) return <Empty>{activity.noOriginators}</Empty>;
          const estates = own.permits.flatMap(({ patrimony }) => patrimony ?? []);
          const estate = estates.find(({ id }) => id === wanted.estate);
          return (
            <>
              <div className="filter">
                <SelectInput
                  name="month"
                  label={text.month}
                  value={wanted.month}
                  onChange={(value) => setWanted({ ...wanted, month: value })}
                  options={months.map((value) => ({ value, text: month(value) }))}
                />
                <SelectInput
                  name="originator"
                  label={words.originator}
                  value={own.id}
                  onChange={(originator) => setWanted({ ...wanted, originator, estate: '' })}
                  options={myOriginators.map(({ id, name }) => ({ value: id, text: name }))}
                />
                <SelectInput
                  name="estate"
                  label={words.estate}
                  value={wanted.estate}
                  onChange={(estate) => setWanted({ ...wanted, estate })}
                  all={words.all}
                  options={estates.map(({ id, ticker }) => ({ value: id, text: ticker }))}
                />
              </div>
              <h2>{[month(wanted.month), own.name, estate?.ticker ?? text.allEstates].join(' · ')}</h2>
              <Sums originatorId={own.id} patrimonyId={wanted.estate || null} month={wanted.month} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Sums(props: { readonly originatorId: string; readonly patrimonyId: string | null; readonly month: string }) {
  const { batch, statement: text, words } = originatorTexts.get();
  const query = useQuery(graph, 'statement', props);
  return (
    <Loaded query={query}>
      {({ receivableStatement: own }) => (
        <div className="stack">
          <Facts
            items={sumsOf(own).map(([label, sum, count]) => [
              label,
              count === undefined ? money(sum) : `${money(sum)} (${decimal(count)})`,
            ])}
          />
          <Table
            caption={text.aging(date(own.position))}
            rows={own.aging}
            keyOf={({ label }) => label}
            columns={[
              {
                label: text.daysLate,
                kind: 'nowrap',
                cell: ({ label, fromDays }) => (fromDays === 0 ? text.notDue : label),
              },
              { label: words.contracts, kind: 'number', cell: ({ contracts }) => decimal(contracts) },
              { label: batch.openBalance, kind: 'number', cell: ({ balance }) => money(balance) },
              { label: text.overdue, kind: 'number', cell: ({ overdue }) => money(overdue) },
            ]}
          />
          <p>
            <Button onPress={() => saveFile(`${words.statement} ${props.month}.csv`, fileOf(own), 'csv')}>
              {frameTexts.get().download}
            </Button>
          </p>
        </div>
      )}
    </Loaded>
  );
}

type Month = Operations['statement']['data']['receivableStatement'];

/** Returns each sum of a month with its name, and the number of its contracts where that is known. */
function sumsOf(own: Month): readonly (readonly [label: string, sum: string, count?: number])[] {
  const { batch, settlements, receivables, statement: text, words } = originatorTexts.get();
  return [
    [text.openBefore, own.openBefore],
    [text.assigned, own.assigned, own.assignedCount],
    [text.refused, own.refused, own.refusedCount],
    [text.renegotiated, own.renegotiated],
    [receivables.received, own.received],
    [text.surplus, own.surplus],
    [text.repurchased, own.repurchased],
    [settlements.abated, own.abated],
    [text.discounted, own.discounted],
    [text.substituted, own.substituted],
    [words.writtenOff, own.writtenOff],
    [batch.openBalance, own.openBalance],
  ];
}

function fileOf(own: Month): string {
  const { batch, statement: text, words } = originatorTexts.get();
  const sums = sumsOf(own).map(([label, sum, count]) => [label, sum, String(count ?? '')]);
  const head = [text.aging(date(own.position)), words.contracts, batch.openBalance, text.overdue];
  const aging = own.aging.map(({ label, fromDays, contracts, balance, overdue }) => [
    fromDays === 0 ? text.notDue : label,
    ...[String(contracts), balance, overdue],
  ]);
  return [...sums, head, ...aging].map((cells) => csvLine(cells, ';')).join('');
}
