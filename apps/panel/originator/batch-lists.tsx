import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import type { Column } from '../../design/table.js';
import { decimal, moment, money } from '../frame/language.js';
import { PagedQuery } from '../frame/paged-table.js';
import { Form, PageHead, textOf } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { numbered, Origin, SettlementLink, type Batch } from './batch-parts.js';
import { batchParameters, batchStates, toneOf, type BatchParameters } from './batch-state.js';
import { Estate } from './estate-link.js';
import { graph } from './graph.js';
import { originatorTexts } from './texts.js';

/** The credit batches of the account's originators. */
export function CreditBatches() {
  const { batches: text } = originatorTexts.get();
  return (
    <BatchList title={text.title} lead={text.lead} to="/originador/lotes">
      {(filter) => (
        <PagedQuery
          graph={graph}
          name="creditBatches"
          variables={{ filter }}
          pick={({ creditBatches }) => creditBatches}
          caption={text.title}
          keyOf={({ id }) => id}
          empty={text.empty}
          columns={[
            {
              label: text.name,
              kind: 'wide',
              cell: ({ id, number, name }) => (
                <Link to="/originador/lotes/$id" params={{ id }}>
                  {numbered(number)}: {name}
                </Link>
              ),
            },
            ...commonColumns(),
            {
              label: text.estate,
              kind: 'nowrap',
              cell: ({ patrimony }) => <Estate ticker={patrimony?.ticker ?? null} />,
            },
            { label: text.contracts, kind: 'number', cell: ({ receivableCount }) => decimal(receivableCount) },
            { label: text.total, kind: 'number', cell: ({ totalFaceValue }) => money(totalFaceValue) },
            { label: text.created, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
          ]}
        />
      )}
    </BatchList>
  );
}

/** The settlement batches of the account's originators. */
export function SettlementBatches() {
  const { batches, settlements: text } = originatorTexts.get();
  return (
    <BatchList title={text.title} lead={text.lead} to="/originador/liquidacoes">
      {(filter) => (
        <PagedQuery
          graph={graph}
          name="settlementBatches"
          variables={{ filter }}
          pick={({ settlementBatches }) => settlementBatches}
          caption={text.title}
          keyOf={({ id }) => id}
          empty={text.empty}
          columns={[
            { label: batches.name, kind: 'wide', cell: (batch) => <SettlementLink batch={batch} /> },
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
      )}
    </BatchList>
  );
}

function commonColumns(): readonly Column<Pick<Batch, 'sender' | 'fileName' | 'status'>>[] {
  const { batches: text } = originatorTexts.get();
  return [
    { label: text.sender, cell: Origin },
    { label: text.status, cell: ({ status }) => <Badge tone={toneOf[status]}>{text.states[status]}</Badge> },
  ];
}

/** A page with the batches of one kind. The filter is in the address. */
function BatchList(props: {
  readonly title: string;
  readonly lead: string;
  readonly to: '/originador/lotes' | '/originador/liquidacoes';
  /** @param filter of the graph */
  readonly children: (filter: ReturnType<typeof filterOf>) => ReactNode;
}) {
  const { title, lead, to, children } = props;
  const parameters = batchParameters(useSearch({ strict: false }));
  const navigate = useNavigate();
  return (
    <>
      <PageHead
        title={title}
        lead={lead}
        acts={
          <Link to="/originador/enviar" className="button">
            {originatorTexts.get().batches.send}
          </Link>
        }
      />
      <BatchFilter
        key={JSON.stringify(parameters)}
        parameters={parameters}
        onFilter={(search) => void navigate({ to, search, resetScroll: false })}
      />
      {children(filterOf(parameters))}
    </>
  );
}

/** Filters a list of batches by status, number and days of creation. */
function BatchFilter(props: {
  readonly parameters: BatchParameters;
  readonly onFilter: (parameters: BatchParameters) => void;
}) {
  const { parameters, onFilter } = props;
  const { batches: text } = originatorTexts.get();
  const action = useAction();
  return (
    <Form
      action={action}
      fields={['number', 'from', 'to']}
      label={text.filter}
      onSubmit={(values) => {
        const [status, number = '', from, to] = ['status', 'number', 'from', 'to'].map((name) => textOf(values, name));
        onFilter(batchParameters({ status, number: number.trim(), from, to }));
      }}
    >
      <div className="filter">
        <SelectInput
          name="status"
          label={text.status}
          defaultValue={parameters.status ?? ''}
          all={text.all}
          options={batchStates.map((value) => ({ value, text: text.states[value] }))}
        />
        <TextInput
          name="number"
          inputMode="numeric"
          label={text.number}
          defaultValue={String(parameters.number ?? '')}
          maxLength={9}
          autoComplete="off"
        />
        <TextInput name="from" type="date" label={text.from} defaultValue={parameters.from ?? ''} />
        <TextInput name="to" type="date" label={text.to} defaultValue={parameters.to ?? ''} />
        <Button kind="main" type="submit">
          {text.submitFilter}
        </Button>
      </div>
    </Form>
  );
}

function filterOf({ status, number, from, to }: BatchParameters) {
  return { status: status ?? null, number: number ?? null, from: from ?? null, to: to ?? null };
}
