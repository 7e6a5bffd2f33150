import { z } from 'zod';
import { Controls } from './gallery-controls.js';
import { definePage } from './page.js';
import { Badge, Empty, Facts, Links, Section, Stats } from '../design/basics.js';
import { FilterForm } from '../design/filter-form.js';
import { LineChart } from '../design/line-chart.js';
import { ShareBar } from '../design/share-bar.js';
import { Pager, Table } from '../design/table.js';

const rows = [
  { name: 'CRI Alfa', volume: '1.000,00', share: '62.50' },
  { name: 'CRA Beta', volume: '600,00', share: '37.50' },
];
const points = Array.from({ length: 24 }, (_none, at) => ({
  date: new Date(Date.UTC(2026, at, 1)).toISOString().slice(0, 10),
  value: String(1000 + at * 7 - (at % 6) * 12),
}));

/** Every component of the visual language, for those who make pages; it exists in development only. */
export const gallery = definePage({
  path: '/design',
  area: 'development',
  query: z.object({}),
  load: () => Promise.resolve(undefined),
  view: () => ({
    title: 'Design',
    description: 'Every component of the pages.',
    path: '/design',
    panel: true,
    body: (
      <>
        <div className="head">
          <h1>Design</h1>
          <p className="lead">
            Every component, in the reader’s colour scheme. Tokens and styles are in <code>apps/design/design.css</code>
            , those of the panel in <code>apps/design/panel.css</code>.
          </p>
        </div>
        <Section id="stats" title="Stats">
          <Stats
            items={[
              { label: 'Label', value: 'R$ 1.234,56', note: 'Note' },
              { label: 'Label', value: 'CDI + 3,50% a.a.' },
            ].map((item, at) => ({ ...item, label: `${item.label} ${at + 1}` }))}
          />
        </Section>
        <Section
          id="badges"
          title="Badges"
          links={
            <Links
              label="Links"
              items={[
                { href: '#badges', text: 'Here', current: true },
                { href: '#table', text: 'There' },
              ]}
            />
          }
        >
          <p className="row">
            <Badge>Plain</Badge>
            <Badge tone="good">Good</Badge>
            <Badge tone="warn">Warn</Badge>
            <Badge tone="bad">Bad</Badge>
          </p>
          <p className="notice">A notice.</p>
          <p className="notice bad">An error.</p>
          <Empty>No data.</Empty>
        </Section>
        <Data />
        <Controls />
      </>
    ),
  }),
});

function Data() {
  return (
    <>
      <Section id="table" title="Table">
        <Table
          caption="Rows"
          rows={rows}
          keyOf={({ name }) => name}
          empty="No rows."
          columns={[
            { label: 'Name', kind: 'wide', cell: ({ name }) => name },
            { label: 'Volume', kind: 'number', cell: ({ volume }) => volume },
            { label: 'Share', kind: 'share', cell: ({ share }) => <ShareBar percent={share} /> },
          ]}
        />
        <Table caption="Nothing" rows={[]} keyOf={() => ''} empty="No rows." columns={[]} />
        <Pager
          label="Pages"
          shown="2 of 4"
          first={{ href: '#table', text: 'First' }}
          next={{ href: '#table', text: 'Next' }}
        />
      </Section>
      <Section id="facts" title="Facts">
        <Facts
          items={[
            ['Issuer', 'Alfa S.A.'],
            ['Rating', null],
          ]}
        />
      </Section>
      <Section id="form" title="Filter form">
        <FilterForm
          action="/design"
          label="Filters"
          submit="Apply"
          reset={{ href: '/design', text: 'Clear' }}
          fields={[
            { name: 'q', label: 'Search', type: 'search', value: '' },
            { name: 'from', label: 'From', type: 'date', value: '2026-01-01' },
            { name: 'asOf', label: 'As known at', type: 'datetime-local', value: '', error: 'An error.' },
            { name: 'type', label: 'Type', type: 'select', value: 'a', options: [{ value: 'a', text: 'All' }] },
          ]}
        />
      </Section>
      <Section id="chart" title="Chart">
        <figure className="chart">
          <LineChart points={points} label="An example" formatValue={(value) => value} formatDate={(date) => date} />
        </figure>
      </Section>
    </>
  );
}
