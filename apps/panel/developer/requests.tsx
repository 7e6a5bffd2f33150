import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Badge, Empty, Section, type Tone } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { Table, type Column } from '../../design/table.js';
import { decimal, moment, plural } from '../frame/language.js';
import { PagedTable } from '../frame/paged-table.js';
import { Form, Loaded, PageHead, textOf } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { filterOf, requestParameters, statusChoices, type RequestParameters } from './request-filter.js';
import { developerTexts } from './texts.js';

type Overview = Operations['requestOverview']['data'];
type Page = Operations['requestLog']['data']['requestLog'];
type Row = Page['edges'][number];

/** The requests that were made with the keys of the account, and their errors by group. The filter is in the address. */
export function Requests() {
  const { requests: text } = developerTexts.get();
  const parameters = requestParameters(useSearch({ strict: false }));
  const keyId = parameters.key ?? null;
  const query = useQuery(graph, 'requestOverview', { filter: { keyId } });
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Loaded query={query}>
        {(overview) =>
          overview.requestLogDays === 0 ? (
            <Empty>{text.off}</Empty>
          ) : (
            <>
              <p className="muted">{plural(overview.requestLogDays, text.days)}</p>
              <Filter key={JSON.stringify(parameters)} keys={keysOf(overview)} parameters={parameters} />
              <Log parameters={parameters} names={new Map(keysOf(overview))} onReload={query.reload} />
              <Errors rows={overview.requestErrors} keyId={keyId} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function keysOf({ apiKeys, developerKeys }: Overview): readonly (readonly [string, string])[] {
  return [...apiKeys, ...developerKeys].map(({ id, name, prefix }) => [id, `${name} (${prefix}…)`] as const);
}

function Filter(props: {
  readonly keys: readonly (readonly [string, string])[];
  readonly parameters: RequestParameters;
}) {
  const { keys, parameters } = props;
  const { requests: text } = developerTexts.get();
  const action = useAction();
  const navigate = useNavigate();
  return (
    <Form
      action={action}
      fields={['path', 'id']}
      label={text.filter}
      onSubmit={(values) => {
        const chosen = ['key', 'status', 'path', 'id'].map((name) => [name, textOf(values, name).trim()] as const);
        const search = Object.fromEntries(chosen.filter(([, value]) => value !== ''));
        void navigate({ to: '/desenvolvedor/requisicoes', search, resetScroll: false });
      }}
    >
      <div className="filter">
        <SelectInput
          name="key"
          label={text.key}
          defaultValue={parameters.key ?? ''}
          all={text.allKeys}
          options={keys.map(([value, name]) => ({ value, text: name }))}
        />
        <SelectInput
          name="status"
          label={text.status}
          defaultValue={parameters.status ?? ''}
          all={text.allStatuses}
          options={statusChoices.map((value) => ({ value, text: value.length === 1 ? `${value}xx` : value }))}
        />
        <TextInput
          name="path"
          label={text.path}
          defaultValue={parameters.path ?? ''}
          maxLength={200}
          autoComplete="off"
        />
        <TextInput
          name="id"
          label={text.requestId}
          defaultValue={parameters.id ?? ''}
          maxLength={36}
          pattern="[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
          autoComplete="off"
        />
        <Button kind="main" type="submit">
          {text.submit}
        </Button>
      </div>
    </Form>
  );
}

function Log(props: { readonly parameters: RequestParameters; readonly names: Names; readonly onReload: () => void }) {
  const { parameters, names, onReload } = props;
  const { requests: text } = developerTexts.get();
  const filter = filterOf(parameters);
  const query = useQuery(graph, 'requestLog', { filter, after: null });
  return (
    <Section
      id="log"
      title={text.log}
      links={
        <Button
          isBusy={query.isLoading}
          onPress={() => {
            query.reload();
            onReload();
          }}
        >
          {text.reload}
        </Button>
      }
    >
      <Loaded query={query}>
        {({ requestLog }) => (
          <PagedTable
            key={requestLog.pageInfo.endCursor ?? ''}
            caption={text.log}
            first={listOf(requestLog)}
            next={async (after) => listOf((await graph.query('requestLog', { filter, after })).requestLog)}
            keyOf={({ cursor }) => cursor}
            empty={text.empty}
            columns={columnsOf(names)}
          />
        )}
      </Loaded>
    </Section>
  );
}

type Names = ReadonlyMap<string, string>;

/** Returns a page of the log as a list. */
function listOf({ edges, pageInfo, totalCount }: Page) {
  return { nodes: edges, pageInfo, totalCount: totalCount ?? developerTexts.get().requests.many };
}

function columnsOf(names: Names): readonly Column<Row>[] {
  const { requests: text } = developerTexts.get();
  return [
    { label: text.time, kind: 'nowrap', cell: ({ node: { at } }) => moment(at) },
    {
      label: text.request,
      kind: 'wide',
      cell: ({ node: { method, path, requestId } }) => (
        <>
          <code>
            {method} {path}
          </code>
          <span className="sub">{requestId === null ? null : <code>{requestId}</code>}</span>
        </>
      ),
    },
    { label: text.status, cell: ({ node }) => <Status {...node} /> },
    { label: text.key, cell: ({ node: { keyId } }) => names.get(keyId) ?? <code>{keyId}</code> },
    { label: text.duration, kind: 'number', cell: ({ node }) => text.milliseconds(decimal(node.durationMs)) },
    { label: text.bytes, kind: 'number', cell: ({ node: { bytes } }) => decimal(bytes) },
  ];
}

function Status({ status, errorCode }: { readonly status: number; readonly errorCode: string | null }) {
  return (
    <>
      <Badge tone={toneOf(status, errorCode)}>{status}</Badge>
      {errorCode === null ? null : (
        <span className="sub">
          <code>{errorCode}</code>
        </span>
      )}
    </>
  );
}

function toneOf(status: number, errorCode: string | null): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 || errorCode !== null ? 'warn' : 'good';
}

function Errors({ rows, keyId }: { readonly rows: Overview['requestErrors']; readonly keyId: string | null }) {
  const { requests: text } = developerTexts.get();
  return (
    <Section id="errors" title={text.errors}>
      <Table
        caption={text.errors}
        rows={rows}
        keyOf={({ method, path, status, errorCode }) => `${method} ${path} ${status} ${errorCode ?? ''}`}
        empty={text.noErrors}
        columns={[
          {
            label: text.request,
            kind: 'wide',
            cell: ({ method, path, status }) => (
              <Link
                to="/desenvolvedor/requisicoes"
                search={{ path, status: String(status), ...(keyId === null ? {} : { key: keyId }) }}
              >
                <code>
                  {method} {path}
                </code>
              </Link>
            ),
          },
          { label: text.status, cell: (row) => <Status {...row} /> },
          { label: text.count, kind: 'number', cell: ({ count }) => decimal(count) },
          { label: text.first, kind: 'nowrap', cell: ({ firstAt }) => moment(firstAt) },
          { label: text.last, kind: 'nowrap', cell: ({ lastAt }) => moment(lastAt) },
        ]}
      />
    </Section>
  );
}
