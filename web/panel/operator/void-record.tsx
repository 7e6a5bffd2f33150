import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { graph } from './graph.js';
import { kindOptions } from './record-kind.js';
import { ReasonDialog } from './reason-dialog.js';
import { operatorTexts } from './texts.js';

/** Takes a record that should never have been published out of everything that is published. */
export function VoidRecord({ onVoided }: { readonly onVoided: (id: string) => void }) {
  const { imports: text } = operatorTexts.get();
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState(() => kindOptions()[0]?.value ?? '');
  const [names, setNames] = useState('');
  return (
    <>
      <Button
        onPress={() => {
          setOpen(true);
        }}
      >
        {text.voidRecord}
      </Button>
      {isOpen ? (
        <ReasonDialog
          title={text.voidRecord}
          act={text.voidAct}
          onClose={() => {
            setOpen(false);
          }}
          run={async (reason) => {
            const { voidRecord } = await graph.mutate('voidRecord', {
              kind,
              names: linesOf(names),
              reason,
            });
            if (voidRecord !== null) onVoided(voidRecord.id);
          }}
          onDone={() => {
            setOpen(false);
          }}
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
      ) : null}
    </>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
