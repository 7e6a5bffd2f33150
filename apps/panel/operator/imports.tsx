import { Link, useNavigate } from '@tanstack/react-router';
import { Badge, noted } from '../../design/basics.js';
import { SelectInput, TextInput } from '../../design/controls/controls.js';
import { decimal, moment } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { PageHead, textOf } from '../frame/parts.js';
import { graph } from './graph.js';
import { ReasonButton } from './reason-button.js';
import { kindOptions } from './import-changes.js';
import { operatorTexts } from '../texts.js';

export function Imports() {
  const { imports: text, words } = operatorTexts.get();
  const navigate = useNavigate();
  const pages = usePages(graph, 'imports', {}, ({ imports }) => imports);
  const open = (id: string) => void navigate({ to: '/operacao/importacoes/$id', params: { id } });
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <>
            <Link to="/operacao/importacoes/enviar" className="button">
              {text.upload}
            </Link>
            <VoidRecord onVoided={open} />
          </>
        }
      />
      <PagedTable
        pages={pages}
        caption={text.title}
        empty={text.empty}
        columns={[
          {
            label: text.time,
            kind: 'nowrap',
            cell: ({ id, recordedAt }) => (
              <Link to="/operacao/importacoes/$id" params={{ id }}>
                {moment(recordedAt)}
              </Link>
            ),
          },
          {
            label: text.files,
            kind: 'wide',
            cell: ({ files, reason, reverts }) => noted(reverts === null ? namesOf(files) : text.isRevert, reason),
          },
          { label: text.by, kind: 'nowrap', cell: ({ actorName }) => actorName ?? '—' },
          {
            label: text.records,
            kind: 'number',
            cell: ({ counts }) =>
              decimal(counts.reduce((sum, one) => sum + one.created + one.changed + one.removed, 0)),
          },
          {
            label: words.status,
            cell: ({ revertedBy }) => (revertedBy === null ? null : <Badge tone="warn">{text.reverted}</Badge>),
          },
        ]}
      />
    </>
  );
}

/** The first names of files, without their folders, and how many more there are. */
function namesOf(files: readonly { readonly name: string }[]): string {
  const { imports: text } = operatorTexts.get();
  const names = files.slice(0, 3).map(({ name }) => baseOf(name));
  const more = files.length - names.length;
  return more === 0 ? names.join(', ') : text.andMore(names.join(', '), decimal(more));
}

export function baseOf(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? name;
}

/** Takes a record that should never have been published out of everything that is published. */
function VoidRecord({ onVoided }: { readonly onVoided: (id: string) => void }) {
  const { imports: text, words } = operatorTexts.get();
  return (
    <ReasonButton
      opens={text.voidRecord}
      act={text.voidAct}
      text={text.voidText}
      run={async (reason, values) => {
        const { voidRecord } = await graph.mutate('voidRecord', {
          kind: textOf(values, 'kind'),
          names: linesOf(textOf(values, 'names')),
          reason,
        });
        if (voidRecord !== null) onVoided(voidRecord.id);
      }}
    >
      <SelectInput name="kind" label={words.kind} options={kindOptions()} />
      <TextInput name="names" label={text.voidNames} hint={text.voidNamesHint} rows={3} />
    </ReasonButton>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
