import { z } from 'zod';
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

/** The controls of the panel in each state, as the markup that `apps/design/controls/` makes in a browser. They do nothing here. */
function Controls() {
  return (
    <>
      <Buttons />
      <Fields />
      <Section id="secret" title="Secret">
        <div className="field">
          <span>API key</span>
          <div className="secret">
            <code>lk_example_0123456789</code>
            <button type="button" className="button plain" aria-label="Copy: API key">
              Copy
            </button>
          </div>
          <span role="status" className="small muted">
            Copied.
          </span>
        </div>
      </Section>
      <Section id="dialog" title="Dialog">
        <div className="modal">
          <section className="dialog" role="dialog" aria-labelledby="dialog-example">
            <h3 id="dialog-example">Revoke the key</h3>
            <p>Programs that use it are refused from then on.</p>
            <div className="acts">
              <button type="button" className="button plain">
                Cancel
              </button>
              <button type="button" className="button danger">
                Revoke
              </button>
            </div>
          </section>
        </div>
      </Section>
      <Section id="banner" title="Banner and notices">
        <div className="banner" role="status">
          The server does not respond.{' '}
          <button type="button" className="button plain">
            Try now
          </button>
        </div>
        <p className="notice good">Something was done.</p>
      </Section>
    </>
  );
}

function Buttons() {
  return (
    <Section id="buttons" title="Buttons">
      {(['main', 'plain', 'danger'] as const).map((kind) => (
        <div key={kind} className="row">
          <button type="button" className={`button ${kind}`}>
            {kind}
          </button>
          <button type="button" className={`button ${kind} busy`} aria-disabled="true">
            {`${kind}, busy`}
          </button>
          <button type="button" className={`button ${kind}`} data-disabled="true" disabled>
            {`${kind}, disabled`}
          </button>
        </div>
      ))}
      <p>
        <button type="button" className="link">
          A button that looks like a link
        </button>
      </p>
    </Section>
  );
}

function Fields() {
  return (
    <Section id="fields" title="Fields">
      <div className="columns short">
        <div className="field">
          <label htmlFor="field-plain">Name</label>
          <input id="field-plain" type="text" defaultValue="Production" aria-describedby="field-plain-hint" />
          <span id="field-plain-hint" slot="description">
            A hint.
          </span>
        </div>
        <div className="field">
          <label htmlFor="field-invalid">Address</label>
          <input
            id="field-invalid"
            type="url"
            defaultValue="http://"
            data-invalid="true"
            aria-invalid="true"
            aria-describedby="field-invalid-error"
          />
          <span id="field-invalid-error" className="react-aria-FieldError" slot="errorMessage">
            It is not an address of the web.
          </span>
        </div>
        <div className="field">
          <label htmlFor="field-select">Frequency</label>
          <select id="field-select" defaultValue="DAILY">
            <option value="DAILY">Each day</option>
            <option value="WEEKLY">Each week</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor="field-area">Reason</label>
          <textarea id="field-area" rows={3} defaultValue="Typed wrongly" />
        </div>
        <div className="field" role="group" aria-labelledby="field-checks">
          <span id="field-checks">Scopes</span>
          <div className="checks">
            {['Read', 'Write'].map((scope) => (
              <div key={scope} className="check" {...(scope === 'Read' ? { 'data-selected': 'true' } : {})}>
                <svg className="tick" viewBox="0 0 16 16" aria-hidden="true">
                  <path d="M3 8.5l3 3 7-7.5" />
                </svg>
                {scope}
              </div>
            ))}
          </div>
        </div>
      </div>
    </Section>
  );
}
