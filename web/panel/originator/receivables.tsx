import { Link, useNavigate } from '@tanstack/react-router';
import { Button } from '../../design/controls/button.js';
import { TextInput } from '../../design/controls/fields.js';
import type { Column } from '../../design/table.js';
import { useParameter } from '../frame/address.js';
import { date, money, moment } from '../frame/language.js';
import { PagedTable } from '../frame/paged-table.js';
import { Form, Loaded, PageHead, textOf } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { originatorTexts } from './texts.js';

type Row = Operations['receivables']['data']['receivables']['nodes'][number];

/** Finds contracts by the identifier that they have in the originator's system, with their payments. */
export function Receivables() {
  const { receivables: text } = originatorTexts.get();
  const wished = useParameter('contrato');
  const externalId = typeof wished === 'string' ? wished : '';
  const navigate = useNavigate();
  const action = useAction();
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Form
        key={externalId}
        action={action}
        fields={['externalId']}
        label={text.search}
        onSubmit={(values) => {
          const wanted = textOf(values, 'externalId').trim();
          void navigate({ to: '/originador/recebiveis', search: wanted === '' ? {} : { contrato: wanted } });
        }}
      >
        <div className="filter">
          <TextInput
            name="externalId"
            label={text.externalId}
            defaultValue={externalId}
            maxLength={100}
            autoComplete="off"
            isRequired
          />
          <Button kind="main" type="submit">
            {text.submit}
          </Button>
        </div>
      </Form>
      {externalId === '' ? null : <Found key={`found ${externalId}`} externalId={externalId} />}
    </>
  );
}

function Found({ externalId }: { readonly externalId: string }) {
  const { receivables: text } = originatorTexts.get();
  const query = useQuery(graph, 'receivables', { externalId, after: null });
  return (
    <Loaded query={query}>
      {({ receivables }) => (
        <PagedTable
          caption={text.results}
          first={receivables}
          next={async (after) => (await graph.query('receivables', { externalId, after })).receivables}
          keyOf={({ id }) => id}
          empty={text.empty}
          columns={columnsOf()}
        />
      )}
    </Loaded>
  );
}

function columnsOf(): readonly Column<Row>[] {
  const { batch, receivables: text } = originatorTexts.get();
  return [
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
    { label: batch.dueDate, kind: 'nowrap', cell: ({ dueDate }) => date(dueDate) },
    {
      label: batch.status,
      kind: 'nowrap',
      cell: ({ status, settledAt }) => (
        <>
          {batch.receivableStates[status]}
          {settledAt === null ? null : <span className="sub">{moment(settledAt)}</span>}
        </>
      ),
    },
    {
      label: batch.openBalance,
      kind: 'number',
      // Nothing is open of a contract that was not assigned.
      cell: ({ status, openBalance }) => (status === 'PENDING' ? null : money(openBalance)),
    },
    { label: text.payments, kind: 'wide', cell: ({ settlements }) => <Payments rows={settlements} /> },
  ];
}

function Payments({ rows }: { readonly rows: Row['settlements'] }) {
  const { receivables: text, settlements } = originatorTexts.get();
  if (rows.length === 0) return text.noPayments;
  return (
    <ul className="plain">
      {rows.map(({ settledAmount, settledDate, paymentReference, repeated, reversed, batch }) => (
        <li key={`${batch.id} ${settledDate} ${settledAmount} ${paymentReference ?? ''}`}>
          <Link to="/originador/liquidacoes/$id" params={{ id: batch.id }}>
            {money(settledAmount)}, {date(settledDate)}
          </Link>
          {repeated ? ` (${settlements.repeated})` : ''}
          {reversed ? ` (${settlements.reversed})` : ''}
        </li>
      ))}
    </ul>
  );
}
