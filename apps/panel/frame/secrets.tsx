import { useState } from 'react';
import { Button, Dialog } from '../../design/controls/controls.js';
import { saveFile } from './save-file.js';
import { frameTexts } from './texts.js';

interface Copied {
  readonly label: string;
  readonly value: string;
}

export function Secret({ label, value }: Copied) {
  return (
    <div className="field">
      <span>{label}</span>
      <div className="secret">
        <code>{value}</code>
        <CopyButton label={label} value={value} />
      </div>
    </div>
  );
}

export function CopyButton({ label, value }: Copied) {
  const { copy, copied, notCopied } = frameTexts.get();
  const [note, setNote] = useState('');
  return (
    <>
      <Button
        label={`${copy}: ${label}`}
        onPress={() => {
          navigator.clipboard.writeText(value).then(
            () => setNote(copied),
            () => setNote(notCopied),
          );
        }}
      >
        {copy}
      </Button>
      <span role="status" className="small muted">
        {note}
      </span>
    </>
  );
}

/** Shows values that cannot be shown again, until its reader has them; nothing while there are none. */
export function SecretsDialog(props: {
  readonly title: string;
  readonly text: string;
  readonly secrets: readonly (readonly [label: string, value: string])[];
  readonly fileName?: string;
  readonly done: string;
  readonly onClose: () => void;
}) {
  const { title, text, secrets, fileName, done, onClose } = props;
  return (
    <Dialog title={title} isOpen={secrets.length > 0} isFirm onClose={onClose}>
      <p className="notice">{text}</p>
      {secrets.map(([label, value]) => (
        <Secret key={label} label={label} value={value} />
      ))}
      <div className="acts">
        {fileName === undefined ? null : (
          <Button
            onPress={() =>
              saveFile(
                fileName,
                secrets.map(([, value]) => `${value}\n`),
                'txt',
              )
            }
          >
            {frameTexts.get().download}
          </Button>
        )}
        <Button kind="main" onPress={onClose}>
          {done}
        </Button>
      </div>
    </Dialog>
  );
}
