import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../controls/button.tsx';
import '../code/code.css';
import '../overlays/overlay.css';
import { CopyButton } from './copy.tsx';
import { Checkbox } from '../controls/checkbox.tsx';

export interface SecretOnceProps {
  secret: string;
  /** Accessible name. */
  label: string;
  /** A file that contains it, such as `.env`. */
  file: { name: string; text: string };
  onDone: () => void;
}

/** A secret that is shown once, to be copied or saved and then confirmed. */
export function SecretOnce({ secret, label, file, onDone }: SecretOnceProps) {
  const [stored, setStored] = useState(false);
  const id = useId();
  return (
    <div className="secret">
      <p id={id}>Store this now. It is shown only once.</p>
      <div className="secret-value" role="group" aria-label={label} aria-describedby={id}>
        <code>{secret}</code>
        <CopyButton text={secret} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <div className="row">
        <Button onPress={() => saveFile(file)}>
          <Download size={14} aria-hidden />
          Download {file.name}
        </Button>
      </div>
      <Checkbox isSelected={stored} onChange={setStored}>
        I have stored it
      </Checkbox>
      <div className="modal-foot">
        <Button kind="primary" isDisabled={!stored} onPress={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}

/** Saves text as a file in the browser, without a server request. */
export function saveFile({ name, text }: { name: string; text: string }): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
