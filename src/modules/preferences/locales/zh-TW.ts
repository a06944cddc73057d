// Chinese (Taiwan).
import type { Locale } from '../locale'

export const zhTW: Locale = {
  code: 'zh-TW',
  footer: {
    text: '您收到這封電子郵件，是因為您同意接收來自 {projectName} 的電子郵件。',
    link: '取消訂閱',
  },
  unsubscribe: {
    title: '取消訂閱',
    question: '您要停止在 {email} 接收來自 {projectName} 的電子郵件嗎？',
    button: '取消訂閱',
    manageLink: '改為管理訂閱',
    doneTitle: '您已取消訂閱',
    done: '您將不會再於 {email} 收到 {projectName} 的電子報。',
    changedMind: '改變主意了嗎？',
    again: '重新訂閱',
  },
  subscribe: {
    title: '訂閱',
    question: '您要在 {email} 接收來自 {projectName} 的電子郵件嗎？',
    button: '訂閱',
    doneTitle: '您已訂閱',
    done: '您將在 {email} 收到 {projectName} 的電子郵件。',
  },
  manage: {
    title: '管理訂閱',
    description: '決定是否要在 {email} 接收 {projectName} 的電子郵件。',
    label: '您的訂閱',
    subscribed: '您已訂閱。',
    unsubscribed: '您已取消訂閱。',
    paused: '電子郵件已暫停至 {date}。',
    subscribedNote: '您的選擇已儲存。您將再次收到電子郵件。',
    unsubscribedNote: '您的選擇已儲存。您將不會再收到電子報。',
    pausedNote: '您的選擇已儲存。在 {date} 之前，您不會收到電子報。',
    unsubscribeLink: '前往取消訂閱頁面',
    subscribeLink: '前往訂閱頁面',
    disclaimer:
      '這裡指的是電子報與優惠訊息。與您的帳戶或訂單有關的訊息（例如收據與重設密碼）仍可能寄送給您。',
  },
  topics: {
    title: '您接收的內容',
    question: '您要停止在 {email} 接收來自 {projectName} 的「{topic}」嗎？',
    everything: '取消訂閱全部',
  },
  snooze: {
    title: '或者先暫停一陣子',
    changeTitle: '更改暫停時間',
    label: '暫停電子郵件',
    durations: {
      '2_weeks': '2 週',
      '1_month': '1 個月',
      '6_months': '6 個月',
      '1_year': '1 年',
    },
    button: '暫停',
    resume: '立即恢復接收電子郵件',
  },
  forms: {
    email: '電子郵件地址',
    optional: '選填',
    consent: '訂閱即表示您同意接收 {projectName} 的郵件。您可以隨時取消訂閱。',
    step: {
      title: '還差一步',
      text: '請按下按鈕送出表單。',
      button: '送出',
    },
    asked: {
      title: '請查看您的收件匣',
      text: '如果該地址可以接收，一封附有連結的郵件正在寄送途中。請開啟連結並確認，之後才算訂閱成功。如果沒有收到，請查看垃圾郵件資料夾。此類郵件每天最多寄送一封。',
    },
    confirm: {
      title: '確認您的訂閱',
      button: '確認',
    },
    over: {
      title: '此連結已失效',
      text: '它已被使用、已過期，或已被較新的郵件取代。請重新填寫表單。',
    },
    closed: {
      title: '此表單已關閉',
      text: '目前無法使用。',
    },
    faults: {
      email: '請輸入有效的電子郵件地址。',
      refused: '我們無法寄送郵件到此地址。請使用其他地址。',
      fields: '請檢查標示的欄位。',
      tooMany: '嘗試次數過多。請稍後再試。',
    },
    mail: {
      subject: '請確認您對 {projectName} 的訂閱',
      text: '有人（希望是您本人）要求用 {email} 接收 {projectName} 的郵件。請確認您願意接收。',
      until: '連結在 {date} 之前有效。',
      ignore: '如果不是您本人，請忽略此郵件。您不會再收到其他郵件。',
    },
  },
  privacy: {
    title: '您的資料',
    offer:
      '您可以檢視 {projectName} 在此保存的與您有關的資訊，或要求將其刪除。連結會以電子郵件寄到 {email}，以免他人代您操作。',
    button: '把連結寄給我',
    asked: '如果 {email} 能夠收信，附有連結的郵件正在寄送。每天最多寄送一封。',
    mail: {
      subject: '您在 {projectName} 的資料',
      text: '有人（希望是您本人）要求檢視 {projectName} 保存的與 {email} 有關的資訊。透過連結可以檢視，也可以刪除。',
      ignore: '如果不是您本人，請忽略這封郵件。',
    },
    read: '檢視',
    save: '另存為檔案 (JSON)',
    erase: {
      title: '刪除全部',
      text: '此處保存的與 {email} 有關的資訊將永久刪除，並且不再寄送任何郵件到該地址。此操作無法復原。',
      sure: '是的，刪除',
      button: '刪除',
      doneTitle: '正在刪除您的資料',
      done: '只保留一組用來辨識您地址的代碼，以便不再寄信給它。',
    },
    over: '連結已過期，或資料已經刪除。我們郵件中的連結可以取得新連結。',
    parts: { contact: '您', fields: '欄位', consent: '同意', events: '事件', messages: '郵件' },
    newest: '最新的 {number} 筆。檔案中包含全部。',
  },
  faults: {
    brokenTitle: '發生錯誤',
    broken: '請於幾分鐘後再試一次。',
    invalidTitle: '此連結無效',
    invalid: '連結可能不完整，或該地址已被移除。請完全依照電子郵件中的連結開啟。',
    goneTitle: '此頁面已無法使用',
    gone: '連結正確，但寄件者已改用其他電子郵件系統，此頁面已無法使用。',
    choose: '請選擇其中一個選項。',
    notSubscribed: '只有訂閱中才能暫停。請先訂閱。',
  },
}
