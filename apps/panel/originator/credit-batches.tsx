import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/basics.js';
import type { Column } from '../../design/table.js';
import { decimal, moment, money } from '../frame/language.js';
import { PagedQuery } from '../frame/paged-table.js';
import { numbered, Origin } from './batch-parts.js';
import { BatchList } from './batch-list.js';
import { toneOf } from './batch-state.js';
import { Estate } from './estate-link.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { originatorTexts } from './texts.js';

type Row = Operations['creditBatches']['data']['creditBatches']['nodes'][number];

/** The credit batches of the account's originators. The filter is in the address. */
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
          columns={columnsOf()}
        />
      )}
    </BatchList>
  );
}

function columnsOf(): readonly Column<Row>[] {
  const { batches: text } = originatorTexts.get();
  return [
    {
      label: text.name,
      kind: 'wide',
      cell: ({ id, number, name }) => (
        <Link to="/originador/lotes/$id" params={{ id }}>
          {numbered(number)}: {name}
        </Link>
      ),
    },
    { label: text.sender, cell: Origin },
    { label: text.status, cell: ({ status }) => <Badge tone={toneOf[status]}>{text.states[status]}</Badge> },
    { label: text.estate, kind: 'nowrap', cell: ({ patrimony }) => <Estate ticker={patrimony?.ticker ?? null} /> },
    { label: text.contracts, kind: 'number', cell: ({ receivableCount }) => decimal(receivableCount) },
    { label: text.total, kind: 'number', cell: ({ totalFaceValue }) => money(totalFaceValue) },
    { label: text.created, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
  ];
}
