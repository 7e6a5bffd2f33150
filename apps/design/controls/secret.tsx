import { useState } from 'react';
import { Button } from './button.js';

/** A text to be copied, which cannot be read again. */
export function Secret(props: {
  readonly label: string;
  readonly value: string;
  readonly copy: string;
  readonly copied: string;
  /** Where the browser does not let the page copy. */
  readonly failed: string;
}) {
  const { label, value, copy, copied, failed } = props;
  const [note, setNote] = useState('');
  return (
    <div className="field">
      <span>{label}</span>
      <div className="secret">
        <code>{value}</code>
        <Button
          label={`${copy}: ${label}`}
          onPress={() => {
            navigator.clipboard.writeText(value).then(
              () => setNote(copied),
              () => setNote(failed),
            );
          }}
        >
          {copy}
        </Button>
      </div>
      <span role="status" className="small muted">
        {note}
      </span>
    </div>
  );
}
