import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Stats } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { date, decimal, money } from '../frame/language.js';
import { PagedQuery } from '../frame/paged-table.js';
import { Loaded, PageHead, Form, textOf } from '../frame/parts.js';
import { useQuery, useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import {
  receivableParameters,
  receivableQuery,
  receivableStates,
  type ReceivableParameters,
} from './receivable-state.js';
import { openBalanceOf, ReceivableStatus } from './receivable-status.js';
import { originatorTexts } from './texts.js';

type Row = Operations['receivables']['data']['receivables']['nodes'][number];

/** The contracts of all batches, with their payments and totals. The filter is in the address. */
export function Receivables() {
  const { receivables: text } = originatorTexts.get();
  const parameters = receivableParameters(useSearch({ strict: false }));
  const navigate = useNavigate();
  const wanted = receivableQuery(parameters);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <ReceivableFilter
        key={JSON.stringify(parameters)}
        parameters={parameters}
        onFilter={(search) => void navigate({ to: '/originador/recebiveis', search, resetScroll: false })}
      />
      <div className="stack">
        <Totals wanted={wanted} />
        <Found wanted={wanted} />
      </div>
    </>
  );
}

type Wanted = ReturnType<typeof receivableQuery>;

function Totals({ wanted }: { readonly wanted: Wanted }) {
  const { batch, receivables: text, settlements } = originatorTexts.get();
  const query = useQuery(graph, 'receivableTotals', wanted);
  return (
    <Loaded query={query}>
      {({ receivableTotals: { count, faceValue, openBalance, received, surplus, abated } }) => (
        <Stats
          items={[
            { label: text.results, value: decimal(count) },
            { label: text.assignedFaceValue, value: money(faceValue) },
            { label: batch.openBalance, value: money(openBalance) },
            { label: text.received, value: money(received) },
            { label: settlements.surplus, value: money(surplus) },
            { label: settlements.abated, value: money(abated) },
          ]}
        />
      )}
    </Loaded>
  );
}

function Found({ wanted }: { readonly wanted: Wanted }) {
  const { batch, receivables: text } = originatorTexts.get();
  return (
    <PagedQuery
      graph={graph}
      name="receivables"
      variables={wanted}
      pick={({ receivables }) => receivables}
      caption={text.results}
      keyOf={({ id }) => id}
      empty={text.empty}
      columns={[
        {
          label: batch.externalId,
          kind: 'nowrap',
          cell: ({ externalId, batchId }) => (
            <>
              <code>{externalId}</code>
              <span className="sub">
                <Link to="/originador/lotes/$id" params={{ id: batchId }}>
                  {text.batch}
                </Link>
              </span>
            </>
          ),
        },
        { label: batch.debtor, kind: 'nowrap', cell: ({ debtorDocument }) => <code>{debtorDocument}</code> },
        { label: batch.faceValue, kind: 'number', cell: ({ faceValue }) => money(faceValue) },
        { label: text.nextDueDate, kind: 'nowrap', cell: ({ nextDueDate }) => date(nextDueDate) },
        { label: batch.status, kind: 'nowrap', cell: (row) => <ReceivableStatus {...row} /> },
        { label: batch.openBalance, kind: 'number', cell: (row) => openBalanceOf(row) },
        { label: text.received, kind: 'number', cell: ({ received }) => (received === null ? '—' : money(received)) },
        { label: text.payments, kind: 'wide', cell: ({ settlements }) => <Payments rows={settlements} /> },
      ]}
    />
  );
}

function Payments({ rows }: { readonly rows: Row['settlements'] }) {
  const { receivables: text, settlements } = originatorTexts.get();
  if (rows.length === 0) return text.noPayments;
  return (
    <ul className="plain">
      {rows.map(({ kind, settledAmount, surplus, settledDate, paymentReference, repeated, ...row }) => (
        <li key={`${row.batch.id} ${settledDate} ${settledAmount} ${paymentReference ?? ''}`}>
          <Link to="/originador/liquidacoes/$id" params={{ id: row.batch.id }}>
            {money(settledAmount)}, {date(settledDate)}
          </Link>
          {kind !== 'PAYMENT' ? ` (${settlements.kinds[kind]})` : ''}
          {Number(surplus) === 0 ? '' : ` (${settlements.surplus}: ${money(surplus)})`}
          {repeated ? ` (${settlements.repeated})` : ''}
          {row.reversed ? ` (${settlements.reversed}: ${money(row.reversedAmount)})` : ''}
        </li>
      ))}
    </ul>
  );
}

/** Filters the receivables by identifier, status, estate and due days. */
function ReceivableFilter(props: {
  readonly parameters: ReceivableParameters;
  readonly onFilter: (parameters: ReceivableParameters) => void;
}) {
  const { parameters, onFilter } = props;
  const { batch, batches, receivables: text } = originatorTexts.get();
  const action = useAction();
  const originators = useQuery(graph, 'originators', {});
  const [estate, setEstate] = useState(parameters.patrimonio ?? '');
  const estates = new Map(
    (originators.data?.myOriginators ?? []).flatMap(({ permits }) =>
      permits.flatMap(({ patrimony }) => (patrimony === null ? [] : [[patrimony.id, patrimony.ticker] as const])),
    ),
  );
  return (
    <Form
      action={action}
      fields={['contrato', 'de', 'ate']}
      label={text.search}
      onSubmit={(values) => {
        const [contrato, status, de, ate] = ['contrato', 'status', 'de', 'ate'].map((name) =>
          textOf(values, name).trim(),
        );
        onFilter(receivableParameters({ contrato, status, patrimonio: estate, de, ate }));
      }}
    >
      <div className="filter">
        <TextInput
          name="contrato"
          label={text.externalId}
          defaultValue={parameters.contrato ?? ''}
          maxLength={100}
          autoComplete="off"
        />
        <SelectInput
          name="status"
          label={batch.status}
          defaultValue={parameters.status ?? ''}
          all={batches.all}
          options={receivableStates.map((value) => ({ value, text: batch.receivableStates[value] }))}
        />
        <SelectInput
          name="patrimonio"
          label={batches.estate}
          value={estate}
          onChange={setEstate}
          all={batches.all}
          options={[...estates].map(([value, ticker]) => ({ value, text: ticker }))}
        />
        <TextInput name="de" type="date" label={text.dueFrom} defaultValue={parameters.de ?? ''} />
        <TextInput name="ate" type="date" label={text.dueTo} defaultValue={parameters.ate ?? ''} />
        <Button kind="main" type="submit">
          {text.submit}
        </Button>
      </div>
    </Form>
  );
}
