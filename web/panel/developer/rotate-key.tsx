import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { SelectInput } from '../../design/controls/fields.js';
import { accepted } from '../frame/failure.js';
import { decimal, plural } from '../frame/language.js';
import { Form } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { CreatedKey } from './create-key.js';
import { graph } from './graph.js';
import type { Key } from './key-state.js';
import { developerTexts } from './texts.js';

const graceDays = [0, 1, 7, 14, 30];

export interface RotateKeyProps {
  readonly rotated: Key;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onRotated: () => void;
}

/** Replaces a key by a new one, and shows that once. */
export function RotateKey({ rotated, isOpen, onClose, onRotated }: RotateKeyProps) {
  const { keys: text } = developerTexts.get();
  const [created, setCreated] = useState<string>();
  return (
    <Dialog
      title={created === undefined ? text.rotateTitle(rotated.name) : text.createdTitle}
      isOpen={isOpen}
      isFirm={created !== undefined}
      onClose={onClose}
    >
      {created === undefined ? (
        <RotateForm rotated={rotated} onClose={onClose} onCreated={setCreated} />
      ) : (
        <CreatedKey
          value={created}
          onClose={() => {
            setCreated(undefined);
            onRotated();
          }}
        />
      )}
    </Dialog>
  );
}

function RotateForm(props: {
  readonly rotated: Key;
  readonly onClose: () => void;
  readonly onCreated: (value: string) => void;
}) {
  const { rotated, onClose, onCreated } = props;
  const { keys: text } = developerTexts.get();
  const action = useAction();
  const [grace, setGrace] = useState('7');
  return (
    <Form
      action={action}
      fields={['graceDays']}
      onSubmit={() => {
        void action.run(async () => {
          onCreated(await rotate(rotated, Number(grace)));
        });
      }}
    >
      <p>{text.rotateText}</p>
      <SelectInput
        name="graceDays"
        label={text.grace}
        value={grace}
        onChange={setGrace}
        options={graceDays.map((days) => ({
          value: String(days),
          text: days === 0 ? text.noGrace : plural(days, { one: text.days.one, other: text.days.other(decimal(days)) }),
        }))}
      />
      <div className="acts">
        <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
        <Button kind="main" type="submit" isBusy={action.isBusy}>
          {text.rotate}
        </Button>
      </div>
    </Form>
  );
}

async function rotate({ id, scopes }: Key, days: number): Promise<string> {
  const variables = { id, graceDays: days };
  if (scopes === undefined)
    return accepted((await graph.mutate('rotateApiKey', variables)).rotateApiKeyResult).newKey.key;
  return accepted((await graph.mutate('rotateDeveloperKey', variables)).rotateDeveloperKeyResult).newKey.key;
}
