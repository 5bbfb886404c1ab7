#if canImport(UIKit)
  import Foundation

  extension CropWords {
    /// Arabic.
    public static var arabic: CropWords {
      CropWords(
        locale: .matching("ar"),
        picture: "صورة، {0} في {1} بكسل",
        pictureHint: "لم يُحدَّد شيء. اسحب على الصورة لرسم إطار.",
        selection: "إطار القص",
        place: "{0} في {1}، من اليسار {2}، من الأعلى {3}",
        handles: [
          "الركن العلوي الأيسر", "الحافة العلوية", "الركن العلوي الأيمن", "الحافة اليمنى",
          "الركن السفلي الأيمن", "الحافة السفلية", "الركن السفلي الأيسر", "الحافة اليسرى",
        ],
        moveLeft: "تحريك إلى اليسار", moveRight: "تحريك إلى اليمين", moveUp: "تحريك إلى الأعلى",
        moveDown: "تحريك إلى الأسفل",
        cleared: "لم يُحدَّد شيء", undone: "تم التراجع", redone: "تمت الإعادة",
        reset: "عادت الصورة كما كانت",
        turned: "تم التدوير", mirrored: "تم عكس الصورة", tilted: "الميل {0} درجة",
        ratio: "النسبة {0} إلى {1}", shape: "الشكل: {0}",
        freeRatio: "أي نسبة", limit: "لا يمكن أبعد من ذلك",
        noMinimum: "لا يوجد مكان لأصغر حجم", noRatio: "لا يوجد مكان للنسبة",
        rectangle: "مستطيل", ellipse: "بيضوي", rounded: "زوايا مدورة",
        screens: ScreenWords(
          crop: "قص", cancel: "إلغاء", use: "استخدام", retake: "إعادة الالتقاط",
          settings: "الإعدادات",
          takePicture: "التقط صورة", switchCamera: "تبديل الكاميرا",
          flashAuto: "الفلاش تلقائي", flashOn: "الفلاش يعمل", flashOff: "الفلاش متوقف",
          albums: "الألبومات", cameraRoll: "لفة الكاميرا",
          noPhotos: "لا توجد صور هنا بعد. التقط صورة أولًا.",
          noCameraAccess: "الكاميرا متوقفة لهذا التطبيق. اسمح بها في الإعدادات.",
          noPhotoAccess: "الصور متوقفة لهذا التطبيق. اسمح بها في الإعدادات.",
          noCamera: "لا توجد كاميرا في هذا الجهاز. اختر صورة بدلًا من ذلك.",
          brokenPicture: "لا يمكن قراءة هذه الصورة. اختر صورة أخرى."))
    }
  }
#endif
