// What the pages of a project's settings have in common: cards that are saved, and rows that are removed.
import type { ReactNode } from 'react'
import { isAdmin, type Project, useProject } from '../../app/session'
import { t } from '../../texts'
import { ConfirmButton } from '../../ui/confirm'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { Card } from '../../ui/page'
import { type Changes, useSettings } from './save'

/** For members who may look but not change anything. */
export function AdminsOnly() {
  return isAdmin(useProject()) ? null : <p className="text-quiet">{t.settings.adminsOnly}</p>
}

interface SettingsCardProps {
  project: Project
  title: string
  description?: string
  /** What was typed, as the changes that are sent. */
  read: (values: Values) => Changes
  /** The fields, which begin with what is stored. */
  children: (stored: Project) => ReactNode
}

/** A card with fields that are saved together. */
export function SettingsCard({ project, title, description, read, children }: SettingsCardProps) {
  const { shown, taken, store } = useSettings(project)
  return (
    <Card title={title} description={description}>
      <Form key={taken} onSubmit={values => store(read(values))}>
        <AdminFields>{children(shown)}</AdminFields>
      </Form>
    </Card>
  )
}

/** The fields of a form, and the button that saves them. Members who may not change them only see them. */
export function AdminFields({ children }: { children: ReactNode }) {
  const mayChange = isAdmin(useProject())
  return (
    <fieldset disabled={!mayChange} className="min-w-0 space-y-4">
      {children}
      {mayChange && <SubmitButton variant="plain">{t.words.save}</SubmitButton>}
    </fieldset>
  )
}

interface RemoveButtonProps {
  words: { action: string; question: string; consequence: string }
  onConfirm: () => Promise<void>
}

/** Removes a row from a list, after asking once. */
export function RemoveButton({ words, onConfirm }: RemoveButtonProps) {
  const { action, question, consequence } = words
  return (
    <ConfirmButton
      variant="quiet"
      title={question}
      consequence={consequence}
      action={action}
      onConfirm={onConfirm}
    />
  )
}
