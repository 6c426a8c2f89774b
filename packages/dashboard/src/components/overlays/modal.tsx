import { X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Dialog, Heading, Modal as AriaModal, ModalOverlay } from 'react-aria-components';
import { Button, IconButton } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import './overlay.css';

export interface ModalProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  wide?: boolean;
  /** Requires a choice: neither Esc nor a click outside closes it. */
  requiresChoice?: boolean;
  children: ReactNode;
}

export function Modal({ title, isOpen, onClose, wide, requiresChoice, children }: ModalProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isDismissable={!requiresChoice}
      isKeyboardDismissDisabled={requiresChoice ?? false}
      onOpenChange={(open) => !open && onClose()}
    >
      <AriaModal className={wide ? 'modal wide' : 'modal'}>
        <Dialog className="modal-body">
          <div className="modal-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {!requiresChoice && (
              <IconButton label="Close" onPress={onClose}>
                <X size={16} />
              </IconButton>
            )}
          </div>
          {children}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}

export interface ConfirmByNameProps {
  title: string;
  isOpen: boolean;
  /** The text to type. */
  name: string;
  /** What will happen and what will not. */
  children: ReactNode;
  action: string;
  isPending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** For actions in live that cannot be undone. Typing the name makes sure it is read. */
export function ConfirmByName(props: ConfirmByNameProps) {
  const { title, isOpen, name, children, action, isPending, onConfirm, onClose } = props;
  return (
    <Modal title={title} isOpen={isOpen} onClose={onClose}>
      <ConfirmForm {...{ name, action, isPending: isPending ?? false, onConfirm, onClose }}>
        {children}
      </ConfirmForm>
    </Modal>
  );
}

type ConfirmFormProps = Omit<ConfirmByNameProps, 'title' | 'isOpen'>;

function ConfirmForm({ name, children, action, isPending, onConfirm, onClose }: ConfirmFormProps) {
  const [typed, setTyped] = useState('');
  const matches = typed.trim() === name;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (matches) onConfirm();
      }}
    >
      <div className="modal-text">{children}</div>
      <Field
        label={`Type ${name} to confirm`}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        spellCheck="false"
        autoFocus
      />
      <div className="modal-foot">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="danger" type="submit" isDisabled={!matches} isPending={isPending ?? false}>
          {action}
        </Button>
      </div>
    </form>
  );
}
