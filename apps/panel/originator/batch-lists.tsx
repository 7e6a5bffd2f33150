import { Link, useSearch } from '@tanstack/react-router';
import { Badge, type Column } from '../../design/basics.js';
import { SelectInput, TextInput } from '../../design/controls/controls.js';
import { AddressForm } from '../frame/address.js';
import { decimal, moment, money } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { PageHead } from '../frame/parts.js';
import { Estate, numbered, Origin, SettlementLink, type Batch } from './batch-parts.js';
import { batchParameters, toneOf } from './batch-state.js';
import { graph } from './graph/operations.js';
import { originatorTexts } from '../texts.js';

export function CreditBatches() {
  const { batches: text, words } = originatorTexts.get();
  const filter = batchParameters(useSearch({ strict: false }));
  const pages = usePages(graph, 'creditBatches', { filter }, ({ creditBatches }) => creditBatches);
  return (
    <>
      <BatchHead title={text.title} lead={text.lead} to="/originador/lotes" />
      <PagedTable
        pages={pages}
        caption={text.title}
        empty={text.empty}
        columns={[
          {
            label: words.batch,
            kind: 'wide',
            cell: ({ id, number, name }) => (
              <Link to="/originador/lotes/$id" params={{ id }}>
                {numbered(number)}: {name}
              </Link>
            ),
          },
          ...commonColumns(),
          {
            label: words.estate,
            kind: 'nowrap',
            cell: ({ patrimony }) => <Estate ticker={patrimony?.ticker ?? null} />,
          },
          { label: words.contracts, kind: 'number', cell: ({ receivableCount }) => decimal(receivableCount) },
          { label: words.faceValue, kind: 'number', cell: ({ totalFaceValue }) => money(totalFaceValue) },
          { label: words.created, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
        ]}
      />
    </>
  );
}

export function SettlementBatches() {
  const { settlements: text, words } = originatorTexts.get();
  const filter = batchParameters(useSearch({ strict: false }));
  const pages = usePages(graph, 'settlementBatches', { filter }, ({ settlementBatches }) => settlementBatches);
  return (
    <>
      <BatchHead title={text.title} lead={text.lead} to="/originador/liquidacoes" />
      <PagedTable
        pages={pages}
        caption={text.title}
        empty={text.empty}
        columns={[
          { label: words.batch, kind: 'wide', cell: (batch) => <SettlementLink batch={batch} /> },
          ...commonColumns(),
          {
            label: text.creditBatch,
            kind: 'nowrap',
            cell: ({ creditBatchId: id }) => (
              <Link to="/originador/lotes/$id" params={{ id }}>
                {text.open}
              </Link>
            ),
          },
        ]}
      />
    </>
  );
}

function commonColumns(): readonly Column<Pick<Batch, 'sender' | 'fileName' | 'status'>>[] {
  const { batches: text, words } = originatorTexts.get();
  return [
    { label: text.sender, cell: Origin },
    { label: words.status, cell: ({ status }) => <Badge tone={toneOf[status]}>{text.states[status]}</Badge> },
  ];
}

function BatchHead({ title, lead, to }: Readonly<Record<'title' | 'lead' | 'to', string>>) {
  const { batches: text, send, words } = originatorTexts.get();
  return (
    <>
      <PageHead
        title={title}
        lead={lead}
        acts={
          <Link to="/originador/enviar" className="button">
            {send.title}
          </Link>
        }
      />
      <AddressForm
        to={to}
        label={text.filter}
        submit={words.filter}
        fields={['status', 'number', 'from', 'to']}
        read={batchParameters}
      >
        {({ status = '', number = '', from = '', to: until = '' }) => (
          <>
            <SelectInput
              name="status"
              label={words.status}
              defaultValue={status}
              all={words.all}
              options={text.states}
            />
            <TextInput
              name="number"
              inputMode="numeric"
              label={text.number}
              defaultValue={String(number)}
              maxLength={9}
              autoComplete="off"
            />
            <TextInput name="from" type="date" label={text.from} defaultValue={from} />
            <TextInput name="to" type="date" label={text.to} defaultValue={until} />
          </>
        )}
      </AddressForm>
    </>
  );
}
