import { formatDocument } from '../../../shared/kernel/tax-id.js';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { noted, Stats } from '../../design/basics.js';
import { SelectInput, TextInput } from '../../design/controls/controls.js';
import { AddressForm } from '../frame/address.js';
import { date, decimal, money } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { CopyButton } from '../frame/secrets.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { numbered } from './batch-parts.js';
import { receivableParameters, receivableQuery } from './batch-state.js';
import { openBalanceOf, ReceivableStatus } from './receivable-status.js';
import { originatorTexts } from '../texts.js';

type Row = Operations['receivables']['data']['receivables']['nodes'][number];

export function Receivables() {
  const { receivables: text } = originatorTexts.get();
  const wanted = receivableQuery(receivableParameters(useSearch({ strict: false })));
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <ReceivableFilter />
      <div className="stack">
        <Totals wanted={wanted} />
        <Found wanted={wanted} />
      </div>
    </>
  );
}

type Wanted = ReturnType<typeof receivableQuery>;

function Totals({ wanted }: { readonly wanted: Wanted }) {
  const { batch, receivables: text, settlements, words } = originatorTexts.get();
  const query = useQuery(graph, 'receivableTotals', wanted);
  return (
    <Loaded query={query}>
      {({ receivableTotals: { count, faceValue, openBalance, received, surplus, abated } }) => (
        <Stats
          items={[
            { label: words.contracts, value: decimal(count) },
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
  const { batch, receivables: text, words } = originatorTexts.get();
  const pages = usePages(graph, 'receivables', wanted, ({ receivables }) => receivables);
  return (
    <PagedTable
      pages={pages}
      caption={words.contracts}
      empty={text.empty}
      columns={[
        {
          label: words.contract,
          kind: 'wide',
          cell: ({ id, externalId, batchId, batchNumber }) =>
            noted(
              <code>{externalId}</code>,
              <>
                <Link to="/originador/lotes/$id" params={{ id: batchId }}>
                  {numbered(batchNumber)}
                </Link>{' '}
                {text.id}: <CopyButton label={`${text.id} ${externalId}`} value={id} />
              </>,
            ),
        },
        { label: batch.debtor, kind: 'nowrap', cell: ({ debtorDocument }) => formatDocument(debtorDocument) },
        { label: words.faceValue, kind: 'number', cell: ({ faceValue }) => money(faceValue) },
        { label: text.nextDueDate, kind: 'nowrap', cell: ({ nextDueDate }) => date(nextDueDate) },
        { label: words.status, kind: 'nowrap', cell: (row) => <ReceivableStatus {...row} /> },
        { label: batch.openBalance, kind: 'number', cell: (row) => openBalanceOf(row) },
        { label: text.received, kind: 'number', cell: ({ received }) => (received === null ? '—' : money(received)) },
        { label: words.payments, kind: 'wide', cell: ({ settlements }) => <Payments rows={settlements} /> },
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
            {numbered(row.batch.number)}: {money(settledAmount)}, {date(settledDate)}
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

function ReceivableFilter() {
  const { batch, receivables: text, words } = originatorTexts.get();
  return (
    <AddressForm
      to="/originador/recebiveis"
      label={text.search}
      submit={words.filter}
      fields={['contrato', 'status', 'patrimonio', 'de', 'ate']}
      read={receivableParameters}
    >
      {({ contrato = '', status = '', patrimonio = '', de = '', ate = '' }) => (
        <>
          <TextInput
            name="contrato"
            label={text.externalId}
            hint={text.wholeId}
            defaultValue={contrato}
            maxLength={100}
            autoComplete="off"
          />
          <SelectInput
            name="status"
            label={words.status}
            defaultValue={status}
            all={words.all}
            options={batch.receivableStates}
          />
          <EstateInput chosen={patrimonio} />
          <TextInput name="de" type="date" label={text.dueFrom} defaultValue={de} />
          <TextInput name="ate" type="date" label={text.dueTo} defaultValue={ate} />
        </>
      )}
    </AddressForm>
  );
}

function EstateInput({ chosen }: { readonly chosen: string }) {
  const { words } = originatorTexts.get();
  const originators = useQuery(graph, 'originators', {});
  const [estate, setEstate] = useState(chosen);
  const permits = originators.data?.myOriginators.flatMap((one) => one.permits) ?? [];
  const estates = new Map(permits.flatMap(({ patrimony: one }) => (one === null ? [] : [[one.id, one.ticker]])));
  return (
    <SelectInput
      name="patrimonio"
      label={words.estate}
      value={estate}
      onChange={setEstate}
      all={words.all}
      options={[...estates].map(([value, ticker]) => ({ value, text: ticker }))}
    />
  );
}
