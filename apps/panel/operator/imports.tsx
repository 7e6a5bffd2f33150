import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../design/basics.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { DialogButton } from '../frame/ask.js';
import { decimal, moment } from '../frame/language.js';
import { PagedQuery } from '../frame/paged-table.js';
import { PageHead } from '../frame/parts.js';
import { graph } from './graph.js';
import { ReasonDialog } from './reason-dialog.js';
import { kindOptions } from './record-kind.js';
import { operatorTexts } from './texts.js';

/** The imports, with what each has changed. */
export function Imports() {
  const { imports: text } = operatorTexts.get();
  const navigate = useNavigate();
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
      <PagedQuery
        graph={graph}
        name="imports"
        variables={{}}
        pick={({ imports }) => imports}
        caption={text.title}
        keyOf={({ id }) => id}
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
            cell: ({ files, reason, reverts }) => (
              <>
                {reverts === null ? namesOf(files) : text.isRevert}
                {reason === null ? null : <span className="sub">{reason}</span>}
              </>
            ),
          },
          { label: text.by, kind: 'nowrap', cell: ({ actorName }) => actorName ?? '—' },
          {
            label: text.records,
            kind: 'number',
            cell: ({ counts }) =>
              decimal(counts.reduce((sum, one) => sum + one.created + one.changed + one.removed, 0)),
          },
          {
            label: text.status,
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

/** Returns the name of a file without its folder. */
export function baseOf(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? name;
}

/** Takes a record that should never have been published out of everything that is published. */
function VoidRecord({ onVoided }: { readonly onVoided: (id: string) => void }) {
  const { imports: text } = operatorTexts.get();
  const [kind, setKind] = useState(() => kindOptions()[0]?.value ?? '');
  const [names, setNames] = useState('');
  return (
    <DialogButton act={text.voidRecord}>
      {(ending) => (
        <ReasonDialog
          title={text.voidRecord}
          act={text.voidAct}
          run={async (reason) => {
            const { voidRecord } = await graph.mutate('voidRecord', {
              kind,
              names: linesOf(names),
              reason,
            });
            if (voidRecord !== null) onVoided(voidRecord.id);
          }}
          {...ending}
        >
          <p>{text.voidText}</p>
          <SelectInput name="kind" label={text.voidKind} value={kind} onChange={setKind} options={kindOptions()} />
          <TextInput
            name="names"
            label={text.voidNames}
            hint={text.voidNamesHint}
            value={names}
            onChange={setNames}
            rows={3}
          />
        </ReasonDialog>
      )}
    </DialogButton>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
