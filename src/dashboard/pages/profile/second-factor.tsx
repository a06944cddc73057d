// The second factor of the user's own account: whether a code is asked for, and how to set it up, change and remove it.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { readQuery } from '../../api/queries'
import { refreshSession } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { CopyValue } from '../../ui/copy'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { Form, type Values } from '../../ui/form'
import { DialogButtons, FormDialog } from '../../ui/form-dialog'
import { formatDate } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { SecretDialog } from '../../ui/secret-dialog'

type State = Schemas['SecondFactor']

const stateQuery = readQuery(['second-factor'], '/users/@me/second-factor', {})

export function SecondFactor() {
  const query = useQuery(stateQuery)
  const refresh = async (): Promise<void> => {
    await query.refetch()
    // Projects may have waited for it.
    await refreshSession()
  }
  return (
    <Card title={t.secondFactor.title} description={t.secondFactor.hint}>
      <Loaded query={query}>
        {state => (state.enabled ? <InForce state={state} onChange={refresh} /> : <Enrol onDone={refresh} />)}
      </Loaded>
    </Card>
  )
}

/** With this few left, new ones are advisable. */
const few = 3

function InForce({ state, onChange }: { state: State; onChange: () => Promise<void> }) {
  const [asking, setAsking] = useState<'renew' | 'remove'>()
  const [codes, setCodes] = useState<string[]>()
  const close = (): void => setAsking(undefined)
  const renew = async (body: Proof): Promise<undefined> => {
    const { recoveryCodes } = await answer(api.POST('/users/@me/second-factor/recovery-codes', { body }))
    setCodes(recoveryCodes)
    await onChange()
  }
  const remove = async (body: Proof): Promise<string> => {
    await answer(api.POST('/users/@me/second-factor/remove', { body }))
    void onChange()
    return t.secondFactor.removed
  }
  const { confirmedAt, recoveryCodesLeft } = state
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="good">{t.words.on}</Badge>
        <span className="text-quiet">
          {confirmedAt && t.secondFactor.since(formatDate(confirmedAt))}
          {' · '}
          {t.secondFactor.left(recoveryCodesLeft)}
        </span>
        {recoveryCodesLeft < few && <Badge tone="warn">{t.secondFactor.few}</Badge>}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onClick={() => setAsking('renew')}>{t.secondFactor.renew}</Button>
        <Button variant="quiet" onClick={() => setAsking('remove')}>
          {t.secondFactor.remove}
        </Button>
      </div>
      <ProofDialog
        open={asking === 'renew'}
        title={t.secondFactor.renew}
        hint={t.secondFactor.renewHint}
        onClose={close}
        onProof={renew}
      />
      <ProofDialog
        open={asking === 'remove'}
        title={t.secondFactor.remove}
        hint={t.secondFactor.removeHint}
        onClose={close}
        onProof={remove}
      />
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
    </>
  )
}

type Proof = Record<'password' | 'code', string>

interface ProofDialogProps {
  open: boolean
  title: string
  hint: string
  onClose: () => void
  onProof: (proof: Proof) => Promise<string | undefined>
}

/** Asks for password and code, before something changes about how one signs in. */
function ProofDialog({ open, title, hint, onClose, onProof }: ProofDialogProps) {
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={title}
      description={hint}
      action={title}
      onSubmit={({ password = '', code = '' }) => onProof({ password, code })}
    >
      <CurrentPassword />
      <TextField
        name="code"
        label={t.account.code}
        hint={t.account.codeHint}
        autoComplete="one-time-code"
        maxLength={64}
        required
      />
    </FormDialog>
  )
}

const QrCode = lazy(() => import('../../ui/qr-code'))

type Enrolment = Schemas['Enrolment']

/** Setting up a second factor: the password, the secret for an authenticator with its first code, the recovery codes. */
export function Enrol({ onDone }: { onDone: () => Promise<void> }) {
  const [open, setOpen] = useState(false)
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<string[]>()
  const close = (): void => {
    setOpen(false)
    setEnrolment(undefined)
  }
  const confirmed = (confirmedCodes: string[]): void => {
    close()
    setCodes(confirmedCodes)
  }
  const kept = async (): Promise<void> => {
    setCodes(undefined)
    await onDone()
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.secondFactor.setUp}</Button>
      <Dialog
        open={open}
        onClose={close}
        title={t.secondFactor.setUp}
        description={enrolment ? t.secondFactor.scanHint : t.secondFactor.passwordHint}
      >
        {enrolment ? (
          <Confirm enrolment={enrolment} onConfirmed={confirmed} onClose={close} />
        ) : (
          <Begin onBegun={setEnrolment} onClose={close} />
        )}
      </Dialog>
      <RecoveryCodes codes={codes} onClose={kept} />
    </>
  )
}

function Begin({ onBegun, onClose }: { onBegun: (enrolment: Enrolment) => void; onClose: () => void }) {
  const begin = async ({ password = '' }: Values): Promise<void> =>
    onBegun(await answer(api.POST('/users/@me/second-factor', { body: { password } })))
  return (
    <Form onSubmit={begin}>
      <CurrentPassword />
      <DialogButtons onCancel={onClose}>{t.secondFactor.goOn}</DialogButtons>
    </Form>
  )
}

interface ConfirmProps {
  enrolment: Enrolment
  onConfirmed: (codes: string[]) => void
  onClose: () => void
}

function Confirm({ enrolment: { secret, uri }, onConfirmed, onClose }: ConfirmProps) {
  const confirm = async ({ code = '' }: Values): Promise<void> =>
    onConfirmed(
      (await answer(api.POST('/users/@me/second-factor/confirm', { body: { code } }))).recoveryCodes,
    )
  return (
    <Form onSubmit={confirm}>
      <div className="flex flex-wrap items-center gap-4">
        <Suspense fallback={<div className="size-48" />}>
          <QrCode text={uri} label={t.secondFactor.qr} />
        </Suspense>
        <div className="min-w-0 flex-1 basis-48 space-y-1.5">
          <p className="text-quiet">{t.secondFactor.typeHint}</p>
          <CopyValue value={secret} />
        </div>
      </div>
      <TextField
        name="code"
        label={t.secondFactor.firstCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        required
        autoFocus
      />
      <DialogButtons onCancel={onClose}>{t.words.turnOn}</DialogButtons>
    </Form>
  )
}

/** The recovery codes, at the only moment when they are shown. */
export function RecoveryCodes({ codes, onClose }: { codes: string[] | undefined; onClose: () => void }) {
  const { codes: title, codesHint: hint, kept } = t.secondFactor
  return <SecretDialog secret={codes?.join('\n')} words={{ title, hint, kept }} onClose={onClose} />
}

/** The current password, asked for before something changes about how one signs in. */
export function CurrentPassword({ name = 'password' }: { name?: string }) {
  return (
    <TextField
      name={name}
      type="password"
      label={t.profile.currentPassword}
      autoComplete="current-password"
      required
    />
  )
}
