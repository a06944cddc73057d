// Japanese.
import type { Locale } from './en'

export const ja: Locale = {
  code: 'ja',
  footer: 'このメールは、{projectName} からのメールの受信に同意された方にお送りしています。',
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
    button: '休止する',
    resume: '今すぐ配信を再開する',
  },
  forms: {
    email: 'メールアドレス',
    optional: '任意',
    consent:
      '登録すると、{projectName} からのメールの受信に同意したことになります。配信はいつでも停止できます。',
    step: { title: 'あと一歩です', text: 'ボタンを押してフォームを送信してください。', button: '送信' },
    asked: {
      title: '受信トレイをご確認ください',
      text: 'このアドレスで受信できる場合は、リンクを記載したメールをお送りします。リンクを開いて確認すると、登録が完了します。届かないときは迷惑メールフォルダーをご確認ください。このメールの送信は1日1通までです。',
    },
    confirm: { title: '登録の確認', button: '確認する' },
    over: {
      title: 'このリンクは使用できません',
      text: '使用済みか、期限切れか、新しいメールに置き換えられています。もう一度フォームに入力してください。',
    },
    closed: { title: 'このフォームは受付を終了しています', text: '現在ご利用いただけません。' },
    faults: {
      email: '有効なメールアドレスを入力してください。',
      refused: 'このアドレスにはメールを送信できません。別のアドレスをお使いください。',
      fields: '印のある項目をご確認ください。',
      tooMany: '試行回数が多すぎます。しばらくしてからもう一度お試しください。',
    },
    mail: {
      subject: '{projectName} への登録をご確認ください',
      text: 'どなたか（おそらくご本人）が、{email} で {projectName} のメールの受信を希望しました。受信を希望することをご確認ください。',
      until: 'リンクは {date} まで有効です。',
      ignore: 'お心当たりがない場合は、このメールを無視してください。今後メールは届きません。',
    },
  },
  privacy: {
    title: 'あなたのデータ',
    offer:
      '{projectName} がここに保存しているあなたの情報を読むことも、消去してもらうこともできます。ほかの人にはできないよう、リンクは {email} にメールで届きます。',
    button: 'リンクを送る',
    asked: '{email} で受信できる場合、リンクを記載したメールが届きます。送信は1日に1通までです。',
    mail: {
      subject: '{projectName} にあるあなたのデータ',
      text: '{projectName} が保存している {email} の情報が請求されました。ご本人であれば、リンクから閲覧と消去ができます。',
      ignore: 'お心当たりがない場合は、このメールを無視してください。',
    },
    read: '読む',
    save: 'ファイルとして保存 (JSON)',
    erase: {
      title: 'すべて消去',
      text: 'ここに保存されている {email} の情報は完全に削除され、このアドレスには今後何も送信されません。取り消すことはできません。',
      sure: 'はい、消去します',
      button: '消去',
      doneTitle: 'データを消去しています',
      done: '残るのは、今後何も送信しないためにアドレスを識別する符号だけです。',
    },
    over: '期限が切れているか、データはすでに消去されています。メール内のリンクから新しいリンクを請求できます。',
    parts: { contact: 'あなた', fields: '項目', consent: '同意', events: 'イベント', messages: 'メッセージ' },
    newest: '新しい順に {number} 件です。ファイルにはすべて含まれます。',
  },
  faults: {
    brokenTitle: 'エラーが発生しました',
    broken: '数分後にもう一度お試しください。',
    testTitle: 'これはテストです',
    test: 'このリンクはテストメールのものです。何も変更されていません。',
    invalidTitle: 'このリンクは無効です',
    invalid:
      'リンクが途中で切れているか、アドレスが削除された可能性があります。メールに記載されたリンクをそのまま開いてください。',
    goneTitle: 'このページは利用できません',
    gone: 'リンクは正しいのですが、送信者が別のメールシステムに移行したため、このページは現在利用できません。',
    choose: 'いずれかを選択してください。',
    notSubscribed: '登録中の方のみ休止できます。先に登録してください。',
  },
}
