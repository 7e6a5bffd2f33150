import { Link } from '@tanstack/react-router';
import { Facts, noted, Section, TableSection } from '../../design/basics.js';
import { usePathPart } from '../frame/address.js';
import { decimal, moment } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph.js';
import { ImportChanges, ImportCounts } from './import-changes.js';
import { baseOf } from './imports.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';

type Import = NonNullable<Operations['importById']['data']['import']>;

export function ImportPage() {
  const { imports: text } = operatorTexts.get();
  const id = usePathPart('id');
  const query = useQuery(graph, 'importById', { id });
  return (
    <>
      <PageHead title={text.one} lead={<Link to="/operacao/importacoes">{text.back}</Link>} />
      <Loaded query={query}>
        {({ import: found }) =>
          found === null ? <p className="empty">{text.missing}</p> : <Content found={found} onChange={query.reload} />
        }
      </Loaded>
    </>
  );
}

function Content({ found, onChange }: { readonly found: Import; readonly onChange: () => void }) {
  const { imports: text } = operatorTexts.get();
  const { id, revertedBy, counts } = found;
  return (
    <>
      <Head found={found} />
      <Section
        id="counts"
        title={text.counts}
        links={
          revertedBy === null ? (
            <ReasonButton
              act={text.revert}
              title={text.revertTitle}
              text={text.revertText}
              run={(why) => graph.mutate('revertImport', { id, reason: why })}
              onDone={onChange}
            />
          ) : null
        }
      >
        <ImportCounts counts={counts} />
      </Section>
      <ImportChanges id={id} counts={counts} />
      <Files files={found.files} empty={found.reverts === null ? text.noFiles : text.isRevert} />
    </>
  );
}

function Head({ found }: { readonly found: Import }) {
  const { imports: text, words } = operatorTexts.get();
  const { recordedAt, actorName, reason, reverts, revertedBy } = found;
  return (
    <Facts
      items={[
        [text.time, moment(recordedAt)],
        [text.by, actorName],
        [words.reason, reason],
        ...(reverts === null ? [] : [[text.reverts, <Other key="reverts" id={reverts} />] as const]),
        ...(revertedBy === null ? [] : [[text.revertedBy, <Other key="revertedBy" id={revertedBy} />] as const]),
      ]}
    />
  );
}

/** Another import: whose it is, of when, and why; its id where it cannot be read. */
function Other({ id }: { readonly id: string }) {
  const found = useQuery(graph, 'importById', { id }).data?.import;
  return noted(
    <Link to="/operacao/importacoes/$id" params={{ id }}>
      {found == null ? id : `${found.actorName ?? '—'}, ${moment(found.recordedAt)}`}
    </Link>,
    found?.reason,
  );
}

function Files({ files, empty }: { readonly files: Import['files']; readonly empty: string }) {
  const { imports: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="files"
      title={text.files}
      rows={files}
      keyOf={({ name }) => name}
      empty={empty}
      columns={[
        { label: text.files, kind: 'wide', cell: ({ name }) => <span title={name}>{baseOf(name)}</span> },
        { label: words.bytes, kind: 'number', cell: ({ bytes }) => decimal(bytes) },
        { label: 'SHA-256', kind: 'nowrap', cell: ({ sha256 }) => <code>{sha256.slice(0, 16)}…</code> },
      ]}
    />
  );
}
