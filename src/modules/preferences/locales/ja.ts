// Japanese.
import type { Locale } from '../locale'

export const ja: Locale = {
  code: 'ja',
  footer: {
    text: 'このメールは、{projectName} からのメールの受信に同意された方にお送りしています。',
    link: '配信停止',
  },
  unsubscribe: {
    title: '配信停止',
    question: '{email} への {projectName} からのメールの配信を停止しますか？',
    button: '配信を停止する',
    manageLink: '代わりに配信設定を変更する',
    doneTitle: '配信を停止しました',
    done: '{email} に {projectName} からのお知らせメールは届かなくなります。',
    changedMind: 'お気持ちが変わりましたか？',
    again: 'もう一度登録する',
  },
  subscribe: {
    title: 'メール配信の登録',
    question: '{email} で {projectName} からのメールを受け取りますか？',
    button: '登録する',
    doneTitle: '登録されています',
    done: '{email} に {projectName} からのメールをお届けします。',
  },
  manage: {
    title: '配信設定',
    description: '{email} で {projectName} からのメールを受け取るかどうかを選べます。',
    label: '現在の状態',
    subscribed: '登録されています。',
    unsubscribed: '配信は停止されています。',
    paused: '配信は {date} まで休止しています。',
    subscribedNote: '設定を保存しました。メールの配信を再開します。',
    unsubscribedNote: '設定を保存しました。今後お知らせメールは届きません。',
    pausedNote: '設定を保存しました。{date} までお知らせメールは届きません。',
    unsubscribeLink: '配信停止のページを開く',
    subscribeLink: '登録のページを開く',
    disclaimer:
      'この設定はお知らせや案内のメールが対象です。領収書やパスワードの再設定など、アカウントやご注文に関するメールは引き続き届くことがあります。',
  },
  topics: {
    title: '受信する内容',
    question: '{projectName} から {email} への「{topic}」の受信を停止しますか？',
    everything: 'すべての配信を停止',
  },
  snooze: {
    title: '一時的に休止することもできます',
    changeTitle: '休止期間を変更する',
    label: '休止する期間',
    durations: {
      '2_weeks': '2週間',
      '1_month': '1か月',
      '6_months': '6か月',
      '1_year': '1年',
    },
    button: '休止する',
    resume: '今すぐ配信を再開する',
  },
  faults: {
    brokenTitle: 'エラーが発生しました',
    broken: '数分後にもう一度お試しください。',
    invalidTitle: 'このリンクは無効です',
    invalid:
      'リンクが途中で切れているか、アドレスが削除された可能性があります。メールに記載されたリンクをそのまま開いてください。',
    choose: 'いずれかを選択してください。',
    notSubscribed: '登録中の方のみ休止できます。先に登録してください。',
  },
}
