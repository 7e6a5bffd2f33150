import { useState, type ReactNode } from 'react';

export { ActDialog } from '../frame/ask.js';

/** Opens a dialog; it gets the function that closes it. */
export type OpenDialog = (render: (close: () => void) => ReactNode) => void;

/** The dialog of a screen: what it shows, and how it is opened. */
export function useDialog(): { readonly dialog: ReactNode; readonly open: OpenDialog } {
  const [dialog, setDialog] = useState<ReactNode>(null);
  const close = () => {
    setDialog(null);
  };
  return {
    dialog,
    open: (render) => setDialog(render(close)),
  };
}
