import { Link, useSearch } from '@tanstack/react-router';
import { Badge, Empty, noted, Section, type Tone, TableSection, type Column } from '../../design/basics.js';
import { Button, SelectInput, TextInput } from '../../design/controls/controls.js';
import { AddressForm } from '../frame/address.js';
import { decimal, moment, plural } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { filterOf, requestParameters, statusChoices } from './request-filter.js';
import { developerTexts } from '../texts.js';

type Overview = Operations['requestOverview']['data'];
type Row = Operations['requestLog']['data']['requestLog']['edges'][number];

export function Requests() {
  const { requests: text, words } = developerTexts.get();
  const parameters = requestParameters(useSearch({ strict: false }));
  const keyId = parameters.key ?? null;
  const query = useQuery(graph, 'requestOverview', { filter: { keyId } });
  return (
    <>
      <PageHead title={words.requests} lead={text.lead} />
      <Loaded query={query}>
        {(overview) =>
          overview.requestLogDays === 0 ? (
            <Empty>{text.off}</Empty>
          ) : (
            <>
              <p className="muted">{plural(overview.requestLogDays, text.days)}</p>
              <Filter keys={keysOf(overview)} />
              <Log filter={filterOf(parameters)} names={new Map(keysOf(overview))} onReload={query.reload} />
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

function Filter({ keys }: { readonly keys: readonly (readonly [string, string])[] }) {
  const { requests: text, webhooks, words } = developerTexts.get();
  return (
    <AddressForm
      to="/desenvolvedor/requisicoes"
      label={text.filter}
      submit={words.filter}
      fields={['key', 'status', 'path', 'id']}
      read={requestParameters}
    >
      {({ key = '', status = '', path = '', id = '' }) => (
        <>
          <SelectInput
            name="key"
            label={words.key}
            defaultValue={key}
            all={webhooks.all}
            options={Object.fromEntries(keys)}
          />
          <SelectInput
            name="status"
            label={text.status}
            defaultValue={status}
            all={words.all}
            options={statusChoices.map((value) => ({ value, text: value.length === 1 ? `${value}xx` : value }))}
          />
          <TextInput name="path" label={text.path} defaultValue={path} maxLength={200} autoComplete="off" />
          <TextInput
            name="id"
            label={text.requestId}
            defaultValue={id}
            maxLength={36}
            pattern="[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
            autoComplete="off"
          />
        </>
      )}
    </AddressForm>
  );
}

function Log(props: {
  readonly filter: ReturnType<typeof filterOf>;
  readonly names: Names;
  readonly onReload: () => void;
}) {
  const { filter, names, onReload } = props;
  const { requests: text, words } = developerTexts.get();
  const pages = usePages(graph, 'requestLog', { filter }, ({ requestLog: { edges, pageInfo, totalCount } }) => ({
    nodes: edges,
    pageInfo,
    totalCount: totalCount ?? text.many,
  }));
  return (
    <Section
      id="log"
      title={words.requests}
      links={
        <Button
          isBusy={pages.isLoading}
          onPress={() => {
            pages.reload();
            onReload();
          }}
        >
          {words.refresh}
        </Button>
      }
    >
      <PagedTable
        pages={pages}
        caption={words.requests}
        keyOf={({ cursor }) => cursor}
        empty={text.empty}
        columns={columnsOf(names)}
      />
    </Section>
  );
}

type Names = ReadonlyMap<string, string>;

function columnsOf(names: Names): readonly Column<Row>[] {
  const { requests: text, words } = developerTexts.get();
  return [
    { label: words.time, kind: 'nowrap', cell: ({ node: { at } }) => moment(at) },
    {
      label: words.request,
      kind: 'wide',
      cell: ({ node: { method, path, requestId } }) =>
        noted(
          <code>
            {method} {path}
          </code>,
          requestId === null ? null : <code>{requestId}</code>,
        ),
    },
    { label: text.status, cell: ({ node }) => <Status {...node} /> },
    { label: words.key, cell: ({ node: { keyId } }) => names.get(keyId) ?? <code>{keyId}</code> },
    { label: words.duration, kind: 'number', cell: ({ node }) => text.milliseconds(decimal(node.durationMs)) },
    { label: words.bytes, kind: 'number', cell: ({ node: { bytes } }) => decimal(bytes) },
  ];
}

function Status({ status, errorCode }: { readonly status: number; readonly errorCode: string | null }) {
  return noted(
    <Badge tone={toneOf(status, errorCode)}>{status}</Badge>,
    errorCode === null ? null : <code>{errorCode}</code>,
  );
}

function toneOf(status: number, errorCode: string | null): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 || errorCode !== null ? 'warn' : 'good';
}

function Errors({ rows, keyId }: { readonly rows: Overview['requestErrors']; readonly keyId: string | null }) {
  const { requests: text, words } = developerTexts.get();
  return (
    <TableSection
      id="errors"
      title={text.errors}
      rows={rows}
      keyOf={({ method, path, status, errorCode }) => `${method} ${path} ${status} ${errorCode ?? ''}`}
      empty={text.noErrors}
      columns={[
        {
          label: words.request,
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
        { label: words.last, kind: 'nowrap', cell: ({ lastAt }) => moment(lastAt) },
      ]}
    />
  );
}
