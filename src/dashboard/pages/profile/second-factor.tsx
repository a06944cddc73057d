// The second factor of the user's own account: whether a code is asked for, and how to change that.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { refreshSession } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { formatDate } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import { Enrol } from './enrol'
import { ProofDialog } from './proof-dialog'
import { RecoveryCodes } from './recovery-codes'

type State = Schemas['SecondFactor']

const stateQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => answer(api.GET('/users/@me/second-factor', { signal })),
})

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
  const renew = async (body: { password: string; code: string }): Promise<void> => {
    const { recoveryCodes } = await answer(api.POST('/users/@me/second-factor/recovery-codes', { body }))
    close()
    setCodes(recoveryCodes)
    await onChange()
  }
  const remove = async (body: { password: string; code: string }): Promise<void> => {
    await answer(api.POST('/users/@me/second-factor/remove', { body }))
    close()
    toast(t.secondFactor.removed)
    await onChange()
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
        <Button look="quiet" onClick={() => setAsking('remove')}>
          {t.secondFactor.remove}
        </Button>
      </div>
      <ProofDialog
        open={asking === 'renew'}
        words={{ title: t.secondFactor.renew, hint: t.secondFactor.renewHint }}
        onClose={close}
        onProof={renew}
      />
      <ProofDialog
        open={asking === 'remove'}
        words={{ title: t.secondFactor.remove, hint: t.secondFactor.removeHint }}
        onClose={close}
        onProof={remove}
      />
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
    </>
  )
}
