// Which list the selected contacts are added to: an existing one, or a new one.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { Dialog } from '../../ui/dialog'
import { SelectField, TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons } from '../../ui/form-dialog'
import { Loaded } from '../../ui/loading'
import { listsQuery } from './data'

interface AddToListProps {
  open: boolean
  onClose: () => void
  /** How many contacts. */
  number: number
  onAdd: (segmentId: string) => Promise<unknown>
}

export function AddToList({ open, onClose, number, onAdd }: AddToListProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t.contacts.addTitle(number)}
      description={t.contacts.addHint}
    >
      <Choice onClose={onClose} onAdd={onAdd} />
    </Dialog>
  )
}

function Choice({ onClose, onAdd }: Pick<AddToListProps, 'onClose' | 'onAdd'>) {
  const query = useQuery(listsQuery)
  const [chosen, setChosen] = useState<string>()
  // Kept if the next request is refused: trying again with the same name would make a second list.
  const [made, setMade] = useState<string>()
  return (
    <Loaded query={query}>
      {lists => {
        const list = chosen ?? lists[0]?.id ?? ''
        const add = async ({ name = '' }: Values): Promise<void> => {
          const id = list || made || (await makeList(name))
          if (!list) setMade(id)
          await onAdd(id)
          onClose()
        }
        return (
          <Form onSubmit={add}>
            {lists.length > 0 && (
              <SelectField
                name="segmentId"
                label={t.contacts.list}
                value={list}
                onChange={event => setChosen(event.target.value)}
              >
                {lists.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
                <option value="">{t.contacts.newList}</option>
              </SelectField>
            )}
            {list === '' && (
              <TextField
                name="name"
                label={t.contacts.newListName}
                required
                maxLength={100}
                autoComplete="off"
                onChange={() => setMade(undefined)}
              />
            )}
            <DialogButtons onCancel={onClose}>{t.contacts.bulk.add}</DialogButtons>
          </Form>
        )
      }}
    </Loaded>
  )
}

async function makeList(name: string): Promise<string> {
  return (await answer(api.POST('/segments', { body: { name, type: 'STATIC' } })))!.id
}
